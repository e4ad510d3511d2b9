CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- An account's version changes with every change of its testimonials or spaces, in the same
-- transaction. It is random and no number, so that none ever comes back, not even after a restore.
ALTER TABLE "users"
  ADD COLUMN "version" uuid NOT NULL DEFAULT gen_random_uuid(),
  ADD COLUMN "testimonial_count" integer NOT NULL DEFAULT 0;

-- No foreign keys on what is derived from testimonials: checking one would lock a space in the
-- middle of an update, while the deletion of the space waits for that update.
CREATE TABLE "testimonial_counts" (
  "user_id" uuid NOT NULL,
  "space_id" uuid NOT NULL,
  "status" "testimonial_status" NOT NULL,
  "type" "testimonial_type" NOT NULL,
  "rating" smallint NOT NULL,
  "count" integer NOT NULL,
  CONSTRAINT "testimonial_counts_pkey"
    PRIMARY KEY ("user_id", "space_id", "status", "type", "rating")
);
CREATE TABLE "testimonial_texts" (
  "user_id" uuid NOT NULL,
  "testimonial_id" uuid NOT NULL,
  "created_at" timestamptz(6) NOT NULL,
  "folded" text NOT NULL,
  CONSTRAINT "testimonial_texts_pkey" PRIMARY KEY ("user_id", "testimonial_id")
) PARTITION BY HASH ("user_id");
-- In parts, so that a large account's texts lie close together: a term too short for the trigrams
-- reads all of them, and not a page of everybody's for each.
DO $$
BEGIN
  FOR part IN 0..15 LOOP
    EXECUTE format('CREATE TABLE testimonial_texts_%s PARTITION OF testimonial_texts
      FOR VALUES WITH (MODULUS 16, REMAINDER %s)', part, part);
  END LOOP;
END
$$;

-- Room on each page: a new version of a row that stays on the page of the old one changes no index.
ALTER TABLE "users" SET (fillfactor = 70);
ALTER TABLE "testimonial_counts" SET (fillfactor = 50);
ALTER TABLE "testimonials" SET (fillfactor = 85);

-- By page of a space, and by the keys a list can be sorted by. Neither status nor updated_at is in
-- any index: moderation would have to change every index of the row with them.
CREATE INDEX "testimonials_space_id_created_at_id_idx"
  ON "testimonials" ("space_id", "created_at" DESC, "id" DESC);
DROP INDEX "testimonials_space_id_user_id_idx";
CREATE INDEX "testimonials_user_id_rating_id_idx" ON "testimonials" ("user_id", "rating", "id");
CREATE INDEX "testimonials_best_rated_idx"
  ON "testimonials" ("user_id", "rating" DESC NULLS LAST, "id" DESC);
CREATE INDEX "testimonials_user_id_shares_id_idx" ON "testimonials" ("user_id", "shares", "id");

-- The triggers. The row of the account is locked last of all rows that a statement locks, testimonials
-- and spaces before it, and keeps other writers of the account waiting until the transaction ends:
-- so its counts need no order, and no circle of waiting arises.
--
-- Loops, because almost every statement is about one account and a few counts: a join with the
-- changed rows, of which the planner knows nothing, could become a scan of a whole table.
CREATE FUNCTION "note_changed_testimonials"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  accounts uuid[];
  account uuid;
  changes testimonial_counts[];
  change testimonial_counts;
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
    UPDATE users SET version = gen_random_uuid(), testimonial_count = testimonial_count
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
CREATE TRIGGER "testimonials_note_inserted" AFTER INSERT ON "testimonials"
  REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION "note_changed_testimonials"();
CREATE TRIGGER "testimonials_note_updated" AFTER UPDATE ON "testimonials"
  REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION "note_changed_testimonials"();
CREATE TRIGGER "testimonials_note_deleted" AFTER DELETE ON "testimonials"
  REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION "note_changed_testimonials"();

-- By row, so that a change of status alone costs nothing here.
CREATE FUNCTION "note_changed_text"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM testimonial_texts WHERE user_id = OLD.user_id AND testimonial_id = OLD.id;
  IF NEW.text_content IS NOT NULL THEN
    INSERT INTO testimonial_texts
      VALUES (NEW.user_id, NEW.id, NEW.created_at, lower(NEW.text_content));
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER "testimonials_note_text" AFTER UPDATE ON "testimonials"
  FOR EACH ROW
  WHEN ((OLD.id, OLD.user_id, OLD.created_at, OLD.text_content)
    IS DISTINCT FROM (NEW.id, NEW.user_id, NEW.created_at, NEW.text_content))
  EXECUTE FUNCTION "note_changed_text"();

-- TRUNCATE fires no other trigger.
CREATE FUNCTION "note_truncated_testimonials"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE users SET version = gen_random_uuid(), testimonial_count = 0;
  DELETE FROM testimonial_counts;
  DELETE FROM testimonial_texts;
  RETURN NULL;
END
$$;
CREATE TRIGGER "testimonials_note_truncated" AFTER TRUNCATE ON "testimonials"
  FOR EACH STATEMENT EXECUTE FUNCTION "note_truncated_testimonials"();

CREATE FUNCTION "note_changed_spaces"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  accounts uuid[];
  account uuid;
  space record;
BEGIN
  IF TG_OP = 'INSERT' THEN
    accounts := ARRAY(SELECT DISTINCT user_id FROM added ORDER BY user_id);
  ELSIF TG_OP = 'DELETE' THEN
    accounts := ARRAY(SELECT DISTINCT user_id FROM removed ORDER BY user_id);
  ELSE
    accounts := ARRAY(SELECT user_id FROM added UNION SELECT user_id FROM removed ORDER BY user_id);
  END IF;
  FOREACH account IN ARRAY accounts LOOP
    UPDATE users SET version = gen_random_uuid() WHERE id = account;
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
CREATE TRIGGER "spaces_note_inserted" AFTER INSERT ON "spaces" REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION "note_changed_spaces"();
CREATE TRIGGER "spaces_note_updated" AFTER UPDATE ON "spaces"
  REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION "note_changed_spaces"();
CREATE TRIGGER "spaces_note_deleted" AFTER DELETE ON "spaces" REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION "note_changed_spaces"();

-- What exists. The lock of the new triggers keeps writers out until this is done.
INSERT INTO "testimonial_counts"
  SELECT user_id, space_id, status, type, coalesce(rating, 0), count(*)
  FROM "testimonials" GROUP BY 1, 2, 3, 4, 5;
UPDATE "users" SET "testimonial_count" = counted.count
  FROM (SELECT user_id, sum(count) AS count FROM "testimonial_counts" GROUP BY 1) counted
  WHERE counted.user_id = "users"."id";
INSERT INTO "testimonial_texts"
  SELECT user_id, id, created_at, lower(text_content) FROM "testimonials"
  WHERE text_content IS NOT NULL;
-- A shorter list of pending entries than usual: the write that finds it full has to sort it in.
CREATE INDEX "testimonial_texts_folded_idx" ON "testimonial_texts"
  USING gin ("folded" gin_trgm_ops) WITH (gin_pending_list_limit = 2048);
