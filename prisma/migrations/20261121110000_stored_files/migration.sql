-- Every uploaded file, from before it is stored until after it is removed: what an account's files
-- take, and which of them no row ever named. Files from before this table are not in it.
CREATE TABLE "stored_files" (
  "key" text NOT NULL,
  "url" text NOT NULL,
  "user_id" uuid NOT NULL,
  "bytes" bigint NOT NULL,
  "checked_at" timestamptz(6),
  "created_at" timestamptz(6) NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT "stored_files_pkey" PRIMARY KEY ("key")
);
CREATE INDEX "stored_files_unchecked_idx" ON "stored_files" ("created_at")
  WHERE "checked_at" IS NULL;

-- Removals are taken in turns, account by account.
DROP INDEX "file_removals_next_attempt_at_idx";
CREATE INDEX "file_removals_user_id_next_attempt_at_idx"
  ON "file_removals" ("user_id", "next_attempt_at");

-- Which rows name an uploaded file. Only addresses that end as the service's own do are in these
-- indexes, so that a row with any other address, or none, costs next to nothing more to write; of
-- the address its end, since it may be of any length: a slash, a UUID and an ending of up to four
-- letters. The condition stands again in src/storage/use.ts.
CREATE INDEX "testimonials_stored_avatar_idx"
  ON "testimonials" ("user_id", right("submitter_avatar_url", 42))
  WHERE "submitter_avatar_url" ~ '/[0-9a-f-]{36}/[0-9a-f-]{36}[.][a-z0-9]{3,4}$';
CREATE INDEX "testimonials_stored_video_idx"
  ON "testimonials" ("user_id", right("video_url", 42))
  WHERE "video_url" ~ '/[0-9a-f-]{36}/[0-9a-f-]{36}[.][a-z0-9]{3,4}$';
CREATE INDEX "testimonials_stored_thumbnail_idx"
  ON "testimonials" ("user_id", right("video_thumbnail_url", 42))
  WHERE "video_thumbnail_url" ~ '/[0-9a-f-]{36}/[0-9a-f-]{36}[.][a-z0-9]{3,4}$';
CREATE INDEX "spaces_stored_logo_idx" ON "spaces" ("user_id", right("logo_url", 42))
  WHERE "logo_url" ~ '/[0-9a-f-]{36}/[0-9a-f-]{36}[.][a-z0-9]{3,4}$';
