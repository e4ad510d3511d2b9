-- The answers to requests that carried an Idempotency-Key, for 24 hours.
CREATE TABLE "idempotency_keys" (
  "user_id" uuid NOT NULL,
  "key_digest" bytea NOT NULL,
  "request_digest" bytea NOT NULL,
  "status" smallint NOT NULL,
  "body" text NOT NULL,
  "created_at" timestamptz(6) NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY ("user_id", "key_digest"),
  CONSTRAINT "idempotency_keys_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users" ("id")
    ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "idempotency_keys_created_at_idx" ON "idempotency_keys" ("created_at");

CREATE FUNCTION "idempotency_key_bytes"(body text) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT 200::bigint + octet_length(body)
$$;

-- As for events: written and removed, never changed, and in the order of the accounts.
CREATE FUNCTION "note_changed_idempotency_keys"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  change record;
BEGIN
  IF TG_OP = 'INSERT' THEN
    FOR change IN SELECT user_id, sum(idempotency_key_bytes(body)) AS bytes FROM added
      GROUP BY user_id ORDER BY user_id
    LOOP
      UPDATE users SET stored_bytes = stored_bytes + change.bytes WHERE id = change.user_id;
    END LOOP;
  ELSE
    FOR change IN SELECT user_id, sum(idempotency_key_bytes(body)) AS bytes FROM removed
      GROUP BY user_id ORDER BY user_id
    LOOP
      UPDATE users SET stored_bytes = stored_bytes - change.bytes WHERE id = change.user_id;
    END LOOP;
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER "idempotency_keys_note_inserted" AFTER INSERT ON "idempotency_keys"
  REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION "note_changed_idempotency_keys"();
CREATE TRIGGER "idempotency_keys_note_deleted" AFTER DELETE ON "idempotency_keys"
  REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION "note_changed_idempotency_keys"();

-- As before, with the kept answers.
CREATE OR REPLACE FUNCTION "stored_bytes_of"(account uuid) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT (coalesce((SELECT sum(testimonial_bytes(t)) FROM testimonials t WHERE t.user_id = account), 0)
    + coalesce((SELECT sum(space_bytes(s)) FROM spaces s WHERE s.user_id = account), 0)
    + coalesce((SELECT sum(event_bytes(e.data)) FROM webhook_events e WHERE e.user_id = account), 0)
    + coalesce((SELECT sum(f.bytes) FROM stored_files f WHERE f.user_id = account), 0)
    + coalesce((SELECT sum(idempotency_key_bytes(k.body)) FROM idempotency_keys k
      WHERE k.user_id = account), 0)
  )::bigint
$$;
