-- What another system calls a testimonial. Imports alone give one, and it is unique in the account.
ALTER TABLE "testimonials" ADD COLUMN "external_id" text;

-- Rows without one are not in the index, so that creating them costs no more than before.
CREATE UNIQUE INDEX "testimonials_user_id_external_id_key"
  ON "testimonials" ("user_id", "external_id") WHERE "external_id" IS NOT NULL;

-- As before, with the new column.
CREATE OR REPLACE FUNCTION "testimonial_bytes"(t "testimonials") RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT 300::bigint + octet_length(t.submitter_name)
    + coalesce(octet_length(t.submitter_email), 0)
    + coalesce(octet_length(t.submitter_company), 0)
    + coalesce(octet_length(t.submitter_role), 0)
    + coalesce(octet_length(t.submitter_avatar_url), 0)
    + coalesce(octet_length(t.text_content), 0)
    + coalesce(octet_length(t.video_url), 0)
    + coalesce(octet_length(t.video_thumbnail_url), 0)
    + coalesce(octet_length(t.ai_transcript), 0)
    + coalesce(octet_length(t.external_id), 0)
$$;
