CREATE TABLE "file_removals" (
  "key" text NOT NULL,
  "url" text NOT NULL,
  "user_id" uuid NOT NULL,
  "attempt_count" integer NOT NULL DEFAULT 0,
  "next_attempt_at" timestamptz(6) NOT NULL DEFAULT clock_timestamp(),
  "created_at" timestamptz(6) NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT "file_removals_pkey" PRIMARY KEY ("key")
);
CREATE INDEX "file_removals_next_attempt_at_idx" ON "file_removals" ("next_attempt_at");
