-- The check of the foreign key was the dearest part of keeping an answer. Kept answers go with their
-- account by a trigger instead; one that is kept in that very moment goes when its day is over.
ALTER TABLE "idempotency_keys" DROP CONSTRAINT "idempotency_keys_user_id_fkey";

CREATE FUNCTION "remove_idempotency_keys"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM idempotency_keys WHERE user_id = OLD.id;
  RETURN NULL;
END
$$;
CREATE TRIGGER "users_remove_idempotency_keys" AFTER DELETE ON "users"
  FOR EACH ROW EXECUTE FUNCTION "remove_idempotency_keys"();

-- Answers are kept one by one, which needs no table of what was added.
CREATE FUNCTION "note_kept_answer"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE users SET stored_bytes = stored_bytes + idempotency_key_bytes(NEW.body)
  WHERE id = NEW.user_id;
  RETURN NULL;
END
$$;
DROP TRIGGER "idempotency_keys_note_inserted" ON "idempotency_keys";
CREATE TRIGGER "idempotency_keys_note_inserted" AFTER INSERT ON "idempotency_keys"
  FOR EACH ROW EXECUTE FUNCTION "note_kept_answer"();

CREATE OR REPLACE FUNCTION "note_changed_idempotency_keys"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  change record;
BEGIN
  FOR change IN SELECT user_id, sum(idempotency_key_bytes(body)) AS bytes FROM removed
    GROUP BY user_id ORDER BY user_id
  LOOP
    UPDATE users SET stored_bytes = stored_bytes - change.bytes WHERE id = change.user_id;
  END LOOP;
  RETURN NULL;
END
$$;

-- Tries to have a key to itself until the transaction ends, and then looks what is kept under it:
-- the lock is given back after a commit can be seen, and each statement of a function sees what was
-- committed before it begins, so nothing is missed. Here and not in the service, because a session
-- plans it once. What is older than `lifetime` is removed, before anything else is locked: the job
-- that removes such answers has the same order.
CREATE FUNCTION "claim_idempotency_key"(
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
    DELETE FROM idempotency_keys WHERE user_id = account AND key_digest = digest;
  END IF;
  RETURN json_build_object('is_free', is_free);
END
$$;
