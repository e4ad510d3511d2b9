-- The form in which texts are searched. Of Greek, lower makes a σ of every Σ, and leaves the ς that
-- stands at the end of words: a text and a term in capitals found neither the other in small letters.
-- As many bytes as lower's.
CREATE FUNCTION "folded_text"(content text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT translate(lower(content), 'ς', 'σ')
$$;

-- Whoever is writing ends first, by the functions as they were; who comes now waits for the new ones.
LOCK TABLE "testimonials" IN SHARE ROW EXCLUSIVE MODE;

-- As before, but for the form of the texts.
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
      SELECT user_id, id, created_at, folded_text(text_content) FROM added WHERE text_content IS NOT NULL;
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

CREATE OR REPLACE FUNCTION "note_changed_text"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM testimonial_texts WHERE user_id = OLD.user_id AND testimonial_id = OLD.id;
  IF NEW.text_content IS NOT NULL THEN
    INSERT INTO testimonial_texts
      VALUES (NEW.user_id, NEW.id, NEW.created_at, folded_text(NEW.text_content));
  END IF;
  RETURN NULL;
END
$$;

-- What exists, and only what changes. The versions are renewed last, as every write does: a replica
-- that has the texts as they were must not answer in the name of the new ones.
WITH refolded AS (
  UPDATE "testimonial_texts" SET "folded" = translate("folded", 'ς', 'σ')
  WHERE "folded" LIKE '%ς%' RETURNING "user_id"
)
UPDATE "users" SET "version" = gen_random_uuid() WHERE "id" IN (SELECT "user_id" FROM refolded);
