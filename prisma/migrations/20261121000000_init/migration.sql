CREATE TYPE "plan" AS ENUM ('free', 'paid');
CREATE TYPE "testimonial_type" AS ENUM ('text', 'video');
CREATE TYPE "testimonial_status" AS ENUM ('pending', 'approved', 'rejected');
CREATE TYPE "delivery_state" AS ENUM ('pending', 'succeeded', 'failed');

CREATE TABLE "users" (
  "id" uuid NOT NULL DEFAULT gen_random_uuid(),
  "name" text NOT NULL,
  "email" text NOT NULL,
  "email_verified" boolean NOT NULL DEFAULT false,
  "image" text,
  "plan" "plan" NOT NULL DEFAULT 'paid',
  "created_at" timestamptz(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" timestamptz(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "users_email_key" ON "users" ("email");

CREATE TABLE "sessions" (
  "id" uuid NOT NULL DEFAULT gen_random_uuid(),
  "user_id" uuid NOT NULL,
  "token" text NOT NULL,
  "expires_at" timestamptz(6) NOT NULL,
  "ip_address" text,
  "user_agent" text,
  "created_at" timestamptz(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" timestamptz(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "sessions_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "sessions_user_id_fkey" FOREIGN KEY ("user_id")
    REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "sessions_token_key" ON "sessions" ("token");
CREATE INDEX "sessions_user_id_idx" ON "sessions" ("user_id");

CREATE TABLE "sign_in_methods" (
  "id" uuid NOT NULL DEFAULT gen_random_uuid(),
  "user_id" uuid NOT NULL,
  "account_id" text NOT NULL,
  "provider_id" text NOT NULL,
  "access_token" text,
  "refresh_token" text,
  "id_token" text,
  "access_token_expires_at" timestamptz(6),
  "refresh_token_expires_at" timestamptz(6),
  "scope" text,
  "password" text,
  "created_at" timestamptz(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" timestamptz(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "sign_in_methods_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "sign_in_methods_user_id_fkey" FOREIGN KEY ("user_id")
    REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "sign_in_methods_user_id_idx" ON "sign_in_methods" ("user_id");

CREATE TABLE "verifications" (
  "id" uuid NOT NULL DEFAULT gen_random_uuid(),
  "identifier" text NOT NULL,
  "value" text NOT NULL,
  "expires_at" timestamptz(6) NOT NULL,
  "created_at" timestamptz(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" timestamptz(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "verifications_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "verifications_identifier_idx" ON "verifications" ("identifier");

CREATE TABLE "sign_in_throttles" (
  "id" uuid NOT NULL DEFAULT gen_random_uuid(),
  "key" text NOT NULL,
  "count" integer NOT NULL,
  "last_request" bigint NOT NULL,
  CONSTRAINT "sign_in_throttles_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "sign_in_throttles_key_key" ON "sign_in_throttles" ("key");

CREATE TABLE "api_keys" (
  "id" uuid NOT NULL DEFAULT gen_random_uuid(),
  "user_id" uuid NOT NULL,
  "name" text NOT NULL,
  "digest" text NOT NULL,
  "hint" text NOT NULL,
  "scopes" text[] NOT NULL,
  "enabled" boolean NOT NULL DEFAULT true,
  "expires_at" timestamptz(6),
  "last_used_at" timestamptz(6),
  "created_at" timestamptz(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "api_keys_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "api_keys_scopes_check"
    CHECK ("scopes" <@ ARRAY['read', 'write', 'delete'] AND cardinality("scopes") > 0),
  CONSTRAINT "api_keys_user_id_fkey" FOREIGN KEY ("user_id")
    REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "api_keys_digest_key" ON "api_keys" ("digest");
CREATE INDEX "api_keys_user_id_idx" ON "api_keys" ("user_id");

CREATE TABLE "spaces" (
  "id" uuid NOT NULL DEFAULT gen_random_uuid(),
  "user_id" uuid NOT NULL,
  "name" text NOT NULL,
  "slug" text NOT NULL,
  "description" text,
  "logo_url" text,
  "primary_color" text,
  "custom_questions" jsonb,
  "created_at" timestamptz(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" timestamptz(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "spaces_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "spaces_user_id_fkey" FOREIGN KEY ("user_id")
    REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "spaces_slug_key" ON "spaces" ("slug");
CREATE UNIQUE INDEX "spaces_id_user_id_key" ON "spaces" ("id", "user_id");
CREATE INDEX "spaces_user_id_created_at_id_idx" ON "spaces" ("user_id", "created_at" DESC, "id" DESC);

CREATE TABLE "testimonials" (
  "id" uuid NOT NULL DEFAULT gen_random_uuid(),
  "space_id" uuid NOT NULL,
  "user_id" uuid NOT NULL,
  "type" "testimonial_type" NOT NULL,
  "status" "testimonial_status" NOT NULL DEFAULT 'pending',
  "submitter_name" text NOT NULL,
  "submitter_email" text,
  "submitter_company" text,
  "submitter_role" text,
  "submitter_avatar_url" text,
  "text_content" text,
  "video_url" text,
  "video_thumbnail_url" text,
  "rating" smallint,
  "ai_transcript" text,
  "shares" integer NOT NULL DEFAULT 0,
  "event_sequence" integer NOT NULL DEFAULT 0,
  "created_at" timestamptz(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" timestamptz(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "testimonials_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "testimonials_rating_check" CHECK ("rating" BETWEEN 1 AND 5),
  CONSTRAINT "testimonials_user_id_fkey" FOREIGN KEY ("user_id")
    REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT "testimonials_space_id_user_id_fkey" FOREIGN KEY ("space_id", "user_id")
    REFERENCES "spaces" ("id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "testimonials_user_id_created_at_id_idx"
  ON "testimonials" ("user_id", "created_at" DESC, "id" DESC);
CREATE INDEX "testimonials_space_id_user_id_idx" ON "testimonials" ("space_id", "user_id");

-- A row's updated_at moves with every write, whoever writes it, and never backwards: of two writes
-- in the same microsecond the second is one microsecond later.
CREATE FUNCTION "set_updated_at"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.updated_at := greatest(clock_timestamp(), OLD.updated_at + interval '1 microsecond');
  RETURN NEW;
END
$$;
CREATE TRIGGER "spaces_set_updated_at" BEFORE UPDATE ON "spaces"
  FOR EACH ROW EXECUTE FUNCTION "set_updated_at"();
CREATE TRIGGER "testimonials_set_updated_at" BEFORE UPDATE ON "testimonials"
  FOR EACH ROW EXECUTE FUNCTION "set_updated_at"();

CREATE TABLE "webhook_endpoints" (
  "id" uuid NOT NULL DEFAULT gen_random_uuid(),
  "user_id" uuid NOT NULL,
  "url" text NOT NULL,
  "description" text,
  "event_types" text[] NOT NULL,
  "enabled" boolean NOT NULL DEFAULT true,
  "disabled_reason" text,
  "encrypted_secret" bytea NOT NULL,
  "previous_encrypted_secret" bytea,
  "previous_secret_expires_at" timestamptz(6),
  "failing_since" timestamptz(6),
  "failure_count" integer NOT NULL DEFAULT 0,
  "created_at" timestamptz(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" timestamptz(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "webhook_endpoints_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "webhook_endpoints_user_id_fkey" FOREIGN KEY ("user_id")
    REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "webhook_endpoints_user_id_idx" ON "webhook_endpoints" ("user_id");

CREATE TABLE "webhook_events" (
  "id" uuid NOT NULL DEFAULT gen_random_uuid(),
  "user_id" uuid NOT NULL,
  "type" text NOT NULL,
  "testimonial_id" uuid NOT NULL,
  "sequence" integer NOT NULL,
  "data" json NOT NULL,
  "is_test" boolean NOT NULL DEFAULT false,
  "created_at" timestamptz(6) NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT "webhook_events_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "webhook_events_user_id_fkey" FOREIGN KEY ("user_id")
    REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "webhook_events_user_id_created_at_idx" ON "webhook_events" ("user_id", "created_at");
CREATE INDEX "webhook_events_created_at_idx" ON "webhook_events" ("created_at");

CREATE TABLE "webhook_deliveries" (
  "id" uuid NOT NULL DEFAULT gen_random_uuid(),
  "event_id" uuid NOT NULL,
  "endpoint_id" uuid NOT NULL,
  "state" "delivery_state" NOT NULL DEFAULT 'pending',
  "attempt_count" integer NOT NULL DEFAULT 0,
  "next_attempt_at" timestamptz(6) DEFAULT clock_timestamp(),
  "created_at" timestamptz(6) NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "webhook_deliveries_event_id_fkey" FOREIGN KEY ("event_id")
    REFERENCES "webhook_events" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT "webhook_deliveries_endpoint_id_fkey" FOREIGN KEY ("endpoint_id")
    REFERENCES "webhook_endpoints" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "webhook_deliveries_endpoint_id_event_id_key"
  ON "webhook_deliveries" ("endpoint_id", "event_id");
CREATE INDEX "webhook_deliveries_event_id_idx" ON "webhook_deliveries" ("event_id");
