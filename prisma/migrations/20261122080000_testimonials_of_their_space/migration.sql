-- A testimonial belongs to a space of its account, which testimonials_space_id_user_id_fkey holds, and
-- the space to the account: that the account is there, and that testimonials go with it, follows. To
-- check it once more was the dearest part of an import but for the indexes.
ALTER TABLE "testimonials" DROP CONSTRAINT "testimonials_user_id_fkey";
