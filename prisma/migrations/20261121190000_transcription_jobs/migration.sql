-- Where the transcription of a video stands, and what language is spoken in it. On the testimonial,
-- so that whoever locks the row sees the one that belongs to it; in no index, so that neither these
-- nor a change of status costs one.
CREATE TYPE "transcription_state" AS ENUM ('none', 'pending', 'done', 'failed');
ALTER TABLE "testimonials"
  ADD COLUMN "transcription" "transcription_state" NOT NULL DEFAULT 'none',
  ADD COLUMN "language" text;

-- Transcripts from before: neither the rows' updated_at nor what is kept of them changes with it.
ALTER TABLE "testimonials" DISABLE TRIGGER USER;
UPDATE "testimonials" SET "transcription" = 'done' WHERE "ai_transcript" IS NOT NULL;
ALTER TABLE "testimonials" ENABLE TRIGGER USER;

-- That there will be no transcript leaves the rest of the row as it is, updated_at included.
DROP TRIGGER "testimonials_set_updated_at" ON "testimonials";
CREATE TRIGGER "testimonials_set_updated_at" BEFORE UPDATE ON "testimonials"
  FOR EACH ROW
  WHEN (NOT (OLD.transcription = 'pending' AND NEW.transcription = 'failed'))
  EXECUTE FUNCTION "set_updated_at"();

CREATE OR REPLACE FUNCTION "testimonial_bytes"(t "testimonials") RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$
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
    + coalesce(octet_length(t.language), 0)
$$;

-- The videos still to be transcribed: a row goes when its transcription is done or has failed. What
-- is being tried is due again when its lease ends. No foreign key, whose cascade would cost every
-- deletion of a testimonial: the row of one that is gone goes when it is next due.
CREATE TABLE "transcription_jobs" (
  "testimonial_id" uuid NOT NULL,
  "user_id" uuid NOT NULL,
  "attempt_count" smallint NOT NULL DEFAULT 0,
  "next_attempt_at" timestamptz(6) NOT NULL,
  "lease_token" uuid,
  "text_hash" bigint NOT NULL,
  "created_at" timestamptz(6) NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT "transcription_jobs_pkey" PRIMARY KEY ("testimonial_id")
);
CREATE INDEX "transcription_jobs_user_id_next_attempt_at_idx"
  ON "transcription_jobs" ("user_id", "next_attempt_at");
