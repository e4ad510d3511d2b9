-- The feed: an account's events in the order in which they were committed. A position is taken from
-- the account's row by the statement that writes the event, and that row stays locked until it is
-- committed: positions have no gap, and none comes before one that somebody has seen. Test events
-- have none, and events from before this migration neither.
ALTER TABLE "users"
  ADD COLUMN "event_position" bigint NOT NULL DEFAULT 0,
  ADD COLUMN "trimmed_event_position" bigint NOT NULL DEFAULT 0;
ALTER TABLE "webhook_events" ADD COLUMN "position" bigint;
ALTER TABLE "spaces" ADD COLUMN "event_sequence" integer NOT NULL DEFAULT 0;

-- Instead of the one by creation, so that an event costs no more to write than before.
CREATE UNIQUE INDEX "webhook_events_user_id_position_key" ON "webhook_events" ("user_id", "position");
DROP INDEX "webhook_events_user_id_created_at_idx";

-- The bytes of new events are counted with their positions, in one update.
DROP TRIGGER "webhook_events_note_inserted" ON "webhook_events";
DROP TRIGGER "webhook_events_note_deleted" ON "webhook_events";
DROP FUNCTION "note_changed_events"();

-- In the order of the accounts: the log of many is trimmed in one statement.
CREATE FUNCTION "note_removed_events"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  change record;
BEGIN
  FOR change IN SELECT user_id, sum(event_bytes(data)) AS bytes, max(position) AS position
    FROM removed GROUP BY user_id ORDER BY user_id
  LOOP
    UPDATE users SET stored_bytes = stored_bytes - change.bytes,
      trimmed_event_position = greatest(trimmed_event_position, change.position)
    WHERE id = change.user_id;
  END LOOP;
  RETURN NULL;
END
$$;
CREATE TRIGGER "webhook_events_note_removed" AFTER DELETE ON "webhook_events"
  REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION "note_removed_events"();
