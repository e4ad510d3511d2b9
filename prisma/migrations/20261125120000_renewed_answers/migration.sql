-- An answer that has expired is written over by the next one under its key, which locks the row of the
-- account as late as every write does. It was removed as the key was claimed: from then on the account
-- was locked before what the request is about, and whoever had locked that waited for the account.
CREATE OR REPLACE FUNCTION "note_kept_answer"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE users SET stored_bytes = stored_bytes + idempotency_key_bytes(NEW.body)
    - coalesce(idempotency_key_bytes(OLD.body), 0)
  WHERE id = NEW.user_id;
  RETURN NULL;
END
$$;
CREATE TRIGGER "idempotency_keys_note_renewed" AFTER UPDATE OF "body" ON "idempotency_keys"
  FOR EACH ROW EXECUTE FUNCTION "note_kept_answer"();

-- As before, but that what is older than `lifetime` is locked and stays: the job that removes such
-- answers passes it over from now on, and would else have it when it is written over.
CREATE OR REPLACE FUNCTION "claim_idempotency_key"(
  account uuid, digest bytea, lock_number bigint, lifetime interval
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  is_free boolean := pg_try_advisory_xact_lock(lock_number);
  kept idempotency_keys;
BEGIN
  SELECT * INTO kept FROM idempotency_keys WHERE user_id = account AND key_digest = digest;
  IF FOUND AND kept.created_at > clock_timestamp() - lifetime THEN
    RETURN json_build_object('request', encode(kept.request_digest, 'hex'),
      'status', kept.status, 'body', kept.body);
  END IF;
  IF FOUND AND is_free THEN
    PERFORM FROM idempotency_keys WHERE user_id = account AND key_digest = digest FOR UPDATE;
  END IF;
  RETURN json_build_object('is_free', is_free);
END
$$;
