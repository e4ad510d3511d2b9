ALTER TABLE "webhook_deliveries"
  ADD COLUMN "schedule_step" integer NOT NULL DEFAULT 0,
  ADD COLUMN "resent" boolean NOT NULL DEFAULT false,
  ADD COLUMN "lease_token" uuid,
  ADD COLUMN "leased_until" timestamptz(6),
  ADD COLUMN "response_status" smallint,
  ADD COLUMN "error_class" text,
  ADD COLUMN "last_attempt_at" timestamptz(6),
  ADD CONSTRAINT "webhook_deliveries_lease_check"
    CHECK (("lease_token" IS NULL) = ("leased_until" IS NULL)),
  ADD CONSTRAINT "webhook_deliveries_next_attempt_check"
    CHECK (("state" = 'pending') = ("next_attempt_at" IS NOT NULL));

-- One index for both: an event's deliveries, and an event to an endpoint once. By endpoint there is
-- the log's, below. Every index costs each of the two updates that a delivery takes.
DROP INDEX "webhook_deliveries_endpoint_id_event_id_key";
DROP INDEX "webhook_deliveries_event_id_idx";
CREATE UNIQUE INDEX "webhook_deliveries_event_id_endpoint_id_key"
  ON "webhook_deliveries" ("event_id", "endpoint_id");

-- The queue: what nobody is sending, by when it is due, and by endpoint.
CREATE INDEX "webhook_deliveries_due_idx" ON "webhook_deliveries" ("next_attempt_at")
  WHERE "state" = 'pending' AND "lease_token" IS NULL;
CREATE INDEX "webhook_deliveries_endpoint_due_idx"
  ON "webhook_deliveries" ("endpoint_id", "next_attempt_at")
  WHERE "state" = 'pending' AND "lease_token" IS NULL;
-- What is being sent right now: never more rows than attempts under way.
CREATE INDEX "webhook_deliveries_leased_idx" ON "webhook_deliveries" ("endpoint_id")
  WHERE "lease_token" IS NOT NULL;
-- The log of an endpoint, newest first.
CREATE INDEX "webhook_deliveries_endpoint_id_created_at_id_idx"
  ON "webhook_deliveries" ("endpoint_id", "created_at" DESC, "id" DESC);
CREATE INDEX "webhook_events_testimonial_id_idx" ON "webhook_events" ("testimonial_id");

CREATE TABLE "webhook_attempts" (
  "delivery_id" uuid NOT NULL,
  "number" integer NOT NULL,
  "started_at" timestamptz(6) NOT NULL,
  "duration_ms" integer NOT NULL,
  "response_status" smallint,
  "error_class" text,
  "response_body" text,
  CONSTRAINT "webhook_attempts_pkey" PRIMARY KEY ("delivery_id", "number"),
  CONSTRAINT "webhook_attempts_delivery_id_fkey" FOREIGN KEY ("delivery_id")
    REFERENCES "webhook_deliveries" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
