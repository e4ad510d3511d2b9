-- The bytes that an account stores: of texts, with something for the rest of a row. Kept by the
-- triggers that keep the counts, in the same update of the account's row, and never by a scan.
ALTER TABLE "users" ADD COLUMN "stored_bytes" bigint NOT NULL DEFAULT 0;

-- octet_length of a column reads its length and not a text that is stored apart.
CREATE FUNCTION "testimonial_bytes"(t "testimonials") RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT 300::bigint + octet_length(t.submitter_name)
    + coalesce(octet_length(t.submitter_email), 0)
    + coalesce(octet_length(t.submitter_company), 0)
    + coalesce(octet_length(t.submitter_role), 0)
    + coalesce(octet_length(t.submitter_avatar_url), 0)
    + coalesce(octet_length(t.text_content), 0)
    + coalesce(octet_length(t.video_url), 0)
    + coalesce(octet_length(t.video_thumbnail_url), 0)
    + coalesce(octet_length(t.ai_transcript), 0)
$$;
CREATE FUNCTION "space_bytes"(s "spaces") RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT 300::bigint + octet_length(s.name)
    + coalesce(octet_length(s.description), 0)
    + coalesce(octet_length(s.slug), 0)
    + coalesce(octet_length(s.logo_url), 0)
    + coalesce(octet_length(s.primary_color), 0)
    + coalesce(octet_length(s.custom_questions::text), 0)
$$;
CREATE FUNCTION "event_bytes"(data json) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT 200::bigint + octet_length(data::text)
$$;

-- As before, with the bytes beside the version and the total.
CREATE OR REPLACE FUNCTION "note_changed_testimonials"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  accounts uuid[];
  account uuid;
  changes testimonial_counts[];
  change testimonial_counts;
  bytes bigint;
BEGIN
  IF TG_OP = 'INSERT' THEN
    accounts := ARRAY(SELECT DISTINCT user_id FROM added ORDER BY user_id);
    changes := ARRAY(
      SELECT ROW(user_id, space_id, status, type, coalesce(rating, 0), count(*))::testimonial_counts
      FROM added GROUP BY user_id, space_id, status, type, coalesce(rating, 0));
    INSERT INTO testimonial_texts
      SELECT user_id, id, created_at, lower(text_content) FROM added WHERE text_content IS NOT NULL;
  ELSIF TG_OP = 'DELETE' THEN
    accounts := ARRAY(SELECT DISTINCT user_id FROM removed ORDER BY user_id);
    changes := ARRAY(
      SELECT ROW(user_id, space_id, status, type, coalesce(rating, 0), -count(*))::testimonial_counts
      FROM removed GROUP BY user_id, space_id, status, type, coalesce(rating, 0));
    FOREACH account IN ARRAY accounts LOOP
      DELETE FROM testimonial_texts
      WHERE user_id = account
        AND testimonial_id = ANY (ARRAY(SELECT id FROM removed WHERE user_id = account));
    END LOOP;
  ELSE
    accounts := ARRAY(SELECT user_id FROM added UNION SELECT user_id FROM removed ORDER BY user_id);
    changes := ARRAY(
      SELECT ROW(user_id, space_id, status, type, coalesce(rating, 0), sum(sign))::testimonial_counts
      FROM (
        SELECT user_id, space_id, status, type, rating, 1 AS sign FROM added
        UNION ALL SELECT user_id, space_id, status, type, rating, -1 FROM removed
      ) moved
      GROUP BY user_id, space_id, status, type, coalesce(rating, 0) HAVING sum(sign) <> 0);
  END IF;
  FOREACH account IN ARRAY accounts LOOP
    bytes := 0;
    IF TG_OP <> 'DELETE' THEN
      bytes := bytes + coalesce((SELECT sum(testimonial_bytes(ROW(t.*)::testimonials))
        FROM added t WHERE t.user_id = account), 0);
    END IF;
    IF TG_OP <> 'INSERT' THEN
      bytes := bytes - coalesce((SELECT sum(testimonial_bytes(ROW(t.*)::testimonials))
        FROM removed t WHERE t.user_id = account), 0);
    END IF;
    UPDATE users SET version = gen_random_uuid(), stored_bytes = stored_bytes + bytes,
      testimonial_count = testimonial_count
        + coalesce((SELECT sum(count) FROM unnest(changes) WHERE user_id = account), 0)
    WHERE id = account;
  END LOOP;
  FOREACH change IN ARRAY changes LOOP
    UPDATE testimonial_counts SET count = count + change.count
    WHERE user_id = change.user_id AND space_id = change.space_id AND status = change.status
      AND type = change.type AND rating = change.rating;
    -- The counts of a space that is being deleted may be gone before its testimonials are.
    IF NOT FOUND AND change.count > 0 THEN
      INSERT INTO testimonial_counts SELECT change.*;
    END IF;
  END LOOP;
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION "note_truncated_testimonials"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE users SET version = gen_random_uuid(), testimonial_count = 0,
    stored_bytes = stored_bytes_of(id);
  DELETE FROM testimonial_counts;
  DELETE FROM testimonial_texts;
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION "note_changed_spaces"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  accounts uuid[];
  account uuid;
  space record;
  bytes bigint;
BEGIN
  IF TG_OP = 'INSERT' THEN
    accounts := ARRAY(SELECT DISTINCT user_id FROM added ORDER BY user_id);
  ELSIF TG_OP = 'DELETE' THEN
    accounts := ARRAY(SELECT DISTINCT user_id FROM removed ORDER BY user_id);
  ELSE
    accounts := ARRAY(SELECT user_id FROM added UNION SELECT user_id FROM removed ORDER BY user_id);
  END IF;
  FOREACH account IN ARRAY accounts LOOP
    bytes := 0;
    IF TG_OP <> 'DELETE' THEN
      bytes := bytes + coalesce((SELECT sum(space_bytes(ROW(s.*)::spaces))
        FROM added s WHERE s.user_id = account), 0);
    END IF;
    IF TG_OP <> 'INSERT' THEN
      bytes := bytes - coalesce((SELECT sum(space_bytes(ROW(s.*)::spaces))
        FROM removed s WHERE s.user_id = account), 0);
    END IF;
    UPDATE users SET version = gen_random_uuid(), stored_bytes = stored_bytes + bytes
    WHERE id = account;
  END LOOP;
  IF TG_OP = 'DELETE' THEN
    FOR space IN SELECT user_id, id FROM removed LOOP
      DELETE FROM testimonial_counts WHERE user_id = space.user_id AND space_id = space.id;
    END LOOP;
  ELSIF TG_OP = 'UPDATE' THEN
    -- Given to another account, which nothing in the service does: the cascade has counted there.
    FOR space IN SELECT user_id, id FROM removed EXCEPT SELECT user_id, id FROM added LOOP
      DELETE FROM testimonial_counts WHERE user_id = space.user_id AND space_id = space.id;
    END LOOP;
  END IF;
  RETURN NULL;
END
$$;

-- Events are written and removed, and never changed. In the order of the accounts, as above: the
-- log of many is trimmed in one statement.
CREATE FUNCTION "note_changed_events"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  change record;
BEGIN
  IF TG_OP = 'INSERT' THEN
    FOR change IN SELECT user_id, sum(event_bytes(data)) AS bytes FROM added
      GROUP BY user_id ORDER BY user_id
    LOOP
      UPDATE users SET stored_bytes = stored_bytes + change.bytes WHERE id = change.user_id;
    END LOOP;
  ELSE
    FOR change IN SELECT user_id, sum(event_bytes(data)) AS bytes FROM removed
      GROUP BY user_id ORDER BY user_id
    LOOP
      UPDATE users SET stored_bytes = stored_bytes - change.bytes WHERE id = change.user_id;
    END LOOP;
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER "webhook_events_note_inserted" AFTER INSERT ON "webhook_events"
  REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION "note_changed_events"();
CREATE TRIGGER "webhook_events_note_deleted" AFTER DELETE ON "webhook_events"
  REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION "note_changed_events"();

-- A file's size is that of its row, which is written before it and removed after it.
CREATE FUNCTION "note_changed_files"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  change record;
BEGIN
  IF TG_OP = 'INSERT' THEN
    FOR change IN SELECT user_id, sum(bytes) AS bytes FROM added GROUP BY user_id ORDER BY user_id
    LOOP
      UPDATE users SET stored_bytes = stored_bytes + change.bytes WHERE id = change.user_id;
    END LOOP;
  ELSE
    FOR change IN SELECT user_id, sum(bytes) AS bytes FROM removed GROUP BY user_id ORDER BY user_id
    LOOP
      UPDATE users SET stored_bytes = stored_bytes - change.bytes WHERE id = change.user_id;
    END LOOP;
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER "stored_files_note_inserted" AFTER INSERT ON "stored_files"
  REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION "note_changed_files"();
CREATE TRIGGER "stored_files_note_deleted" AFTER DELETE ON "stored_files"
  REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION "note_changed_files"();

-- What is stored, by reading all of it: for what exists now, and for tests.
CREATE FUNCTION "stored_bytes_of"(account uuid) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT (coalesce((SELECT sum(testimonial_bytes(t)) FROM testimonials t WHERE t.user_id = account), 0)
    + coalesce((SELECT sum(space_bytes(s)) FROM spaces s WHERE s.user_id = account), 0)
    + coalesce((SELECT sum(event_bytes(e.data)) FROM webhook_events e WHERE e.user_id = account), 0)
    + coalesce((SELECT sum(f.bytes) FROM stored_files f WHERE f.user_id = account), 0)
  )::bigint
$$;
UPDATE "users" SET "stored_bytes" = stored_bytes_of("id");
