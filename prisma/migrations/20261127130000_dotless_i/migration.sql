-- In a database whose language is Turkish or Azerbaijani, lower makes an ı of I: THIS was not found by
-- this. In any other, kapı and KAPI were not one. So the ı is folded too, as the final sigma is.
CREATE OR REPLACE FUNCTION "folded_text"(content text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT translate(lower(content), 'ςı', 'σi')
$$;

-- Whoever is writing by the function as it was ends first; who comes now waits for the new one.
LOCK TABLE "testimonials" IN SHARE ROW EXCLUSIVE MODE;

-- What exists, and only what changes. The versions are renewed last, as every write does: a replica
-- that has the texts as they were must not answer in the name of the new ones.
WITH refolded AS (
  UPDATE "testimonial_texts" SET "folded" = translate("folded", 'ı', 'i')
  WHERE "folded" LIKE '%ı%' RETURNING "user_id"
)
UPDATE "users" SET "version" = gen_random_uuid() WHERE "id" IN (SELECT "user_id" FROM refolded);
