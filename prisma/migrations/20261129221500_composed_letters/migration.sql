-- A letter and its marks are one character or several, as the keyboard has it: of Vietnamese, Bengali or
-- Korean text, and whatever was copied out of a file's name, one writer's é was not found by another's.
-- And of İ, lower makes an i in most databases, and an i with one more dot in those of ICU.
CREATE OR REPLACE FUNCTION "folded_text"(content text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  -- To look is a fifth of the work. Marks that are not in their order cost as many steps as there are
  -- pairs of them, half a minute for a long text of nothing else: so in pieces, each of which begins
  -- with a character of ASCII, with which no other becomes one, or behind 255 that are none.
  SELECT CASE WHEN folded IS NFC NORMALIZED THEN folded ELSE (
    SELECT string_agg(normalize(piece[1]), '' ORDER BY place)
    FROM regexp_matches(folded, '[ -~]*[^ -~]{0,255}', 'g') WITH ORDINALITY AS pieces(piece, place)
  ) END
  FROM (SELECT replace(translate(lower(content), 'ςı', 'σi'), 'i' || chr(775), 'i')) AS small(folded)
$$;

-- Whoever is writing by the function as it was ends first; who comes now waits for the new one.
LOCK TABLE "testimonials" IN SHARE ROW EXCLUSIVE MODE;

-- What exists, and only what changes. The versions are renewed last, as every write does: a replica
-- that has the texts as they were must not answer in the name of the new ones.
WITH refolded AS (
  UPDATE "testimonial_texts" SET "folded" = folded_text("folded")
  WHERE "folded" IS NOT NFC NORMALIZED OR "folded" LIKE '%i' || chr(775) || '%' RETURNING "user_id"
)
UPDATE "users" SET "version" = gen_random_uuid() WHERE "id" IN (SELECT "user_id" FROM refolded);
