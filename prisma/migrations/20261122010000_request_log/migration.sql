-- The log of API requests, for 7 days. A partition for each day in UTC, so that what is old goes by
-- dropping a table and leaves nothing to clean up. No foreign keys, whose checks would be the dearest
-- part of a row; the primary key is the order in which the log is read, and the only index.
CREATE TABLE "request_log" (
  "user_id" uuid NOT NULL,
  "received_at" timestamptz(6) NOT NULL,
  "id" uuid NOT NULL,
  "key_id" uuid,
  "method" text,
  "route" text,
  "path" text,
  "status" smallint NOT NULL,
  "duration_ms" real,
  "code" text,
  "detail" json,
  "count" integer NOT NULL DEFAULT 1,
  CONSTRAINT "request_log_pkey" PRIMARY KEY ("user_id", "received_at", "id")
) PARTITION BY RANGE ("received_at");

-- Makes the partitions that are missing of the days around `present`. By several processes at once,
-- one after the other; attaching holds up nobody who reads or writes.
CREATE FUNCTION "make_request_log_days"(present timestamptz, days_before integer, days_ahead integer)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  today date := (present AT TIME ZONE 'UTC')::date;
  day date;
  name text;
BEGIN
  PERFORM pg_advisory_xact_lock(72707370);
  FOR day IN SELECT today + n FROM generate_series(-days_before, days_ahead) n LOOP
    name := 'request_log_' || to_char(day, 'YYYYMMDD');
    CONTINUE WHEN to_regclass(name) IS NOT NULL;
    EXECUTE format('CREATE TABLE %I (LIKE request_log INCLUDING ALL)', name);
    EXECUTE format('ALTER TABLE request_log ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
      name, day || ' 00:00:00+00', (day + 1) || ' 00:00:00+00');
  END LOOP;
END
$$;

CREATE FUNCTION "remove_request_log"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM request_log WHERE user_id = OLD.id;
  RETURN NULL;
END
$$;
CREATE TRIGGER "users_remove_request_log" AFTER DELETE ON "users"
  FOR EACH ROW EXECUTE FUNCTION "remove_request_log"();
