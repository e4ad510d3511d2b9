-- The total that every list of spaces has: to count them took the longer the more there were, so that a
-- list of an account with 100,000 cost fifty milliseconds, of which everybody else had to wait for each.

-- Whoever is writing by the functions as they were ends first; who comes now waits for the new ones. Before
-- the accounts, as writers take the two.
LOCK TABLE "spaces" IN SHARE ROW EXCLUSIVE MODE;
ALTER TABLE "users" ADD COLUMN "space_count" integer NOT NULL DEFAULT 0;

CREATE OR REPLACE FUNCTION "note_changed_spaces"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  accounts uuid[];
  account uuid;
  space record;
  change record;
  bytes bigint;
  spaces integer;
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
    spaces := 0;
    IF TG_OP <> 'DELETE' THEN
      SELECT count(*) AS count, coalesce(sum(space_bytes(ROW(s.*)::spaces)), 0) AS bytes INTO change
        FROM added s WHERE s.user_id = account;
      bytes := bytes + change.bytes;
      spaces := spaces + change.count;
    END IF;
    IF TG_OP <> 'INSERT' THEN
      SELECT count(*) AS count, coalesce(sum(space_bytes(ROW(s.*)::spaces)), 0) AS bytes INTO change
        FROM removed s WHERE s.user_id = account;
      bytes := bytes - change.bytes;
      spaces := spaces - change.count;
    END IF;
    UPDATE users SET version = gen_random_uuid(), stored_bytes = stored_bytes + bytes,
      space_count = space_count + spaces
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

-- Spaces are truncated with their testimonials or not at all.
CREATE OR REPLACE FUNCTION "note_truncated_testimonials"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE users u SET version = gen_random_uuid(), testimonial_count = 0,
    space_count = (SELECT count(*) FROM spaces s WHERE s.user_id = u.id),
    stored_bytes = stored_bytes_of(u.id);
  DELETE FROM testimonial_counts;
  DELETE FROM testimonial_texts;
  RETURN NULL;
END
$$;

-- What exists. The versions are renewed, as every write does: a replica that has the accounts as they were
-- must not answer in the name of the new ones.
UPDATE "users" SET "space_count" = counted.count, "version" = gen_random_uuid()
  FROM (SELECT user_id, count(*) AS count FROM "spaces" GROUP BY 1) counted
  WHERE counted.user_id = "users"."id";
