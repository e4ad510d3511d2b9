-- Who made, changed, rotated, paused, switched off or deleted which API key and webhook endpoint.
-- The subject has no foreign key: what is told of it outlives it.
CREATE TABLE "audit_entries" (
  "id" uuid NOT NULL DEFAULT gen_random_uuid(),
  "user_id" uuid NOT NULL,
  "subject_type" text NOT NULL,
  "subject_id" uuid NOT NULL,
  "subject_name" text NOT NULL,
  "subject_hint" text,
  "action" text NOT NULL,
  "changes" json NOT NULL DEFAULT '{}',
  "actor_type" text NOT NULL,
  "actor_name" text,
  "actor_hint" text,
  "actor_address" text,
  "created_at" timestamptz(6) NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT "audit_entries_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "audit_entries_user_id_fkey" FOREIGN KEY ("user_id")
    REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "audit_entries_user_id_created_at_id_idx"
  ON "audit_entries" ("user_id", "created_at" DESC, "id" DESC);
CREATE INDEX "audit_entries_user_id_subject_id_created_at_id_idx"
  ON "audit_entries" ("user_id", "subject_id", "created_at" DESC, "id" DESC);
CREATE INDEX "audit_entries_created_at_idx" ON "audit_entries" ("created_at");
