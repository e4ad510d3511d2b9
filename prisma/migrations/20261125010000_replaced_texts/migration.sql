-- The hash of the text that a video's transcript took the place of: an import that brings that text
-- again, as one that is sent every night does, is to find nothing changed.
ALTER TABLE "testimonials" ADD COLUMN "replaced_text_hash" bigint;
