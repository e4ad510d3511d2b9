-- Puts the testimonials into partitions by a hash of the account, 32 of them, with all of their indexes
-- and triggers, and the account in their key. Stop the service, and run it in one transaction:
--   psql --single-transaction --set ON_ERROR_STOP=1 --file docs/partitions.sql "$DATABASE_URL"
-- The service goes on as it is. Two things do not: `npm run move` and `npm run restore` make their tables
-- by the migrations, in one piece, and end with an error, so back up by Postgres' own
-- tools from here on; and migrations that come later are written for a table in one piece: read them
-- before you take a new version.
DO $$
DECLARE
  statement text;
BEGIN
  ALTER TABLE testimonials RENAME TO testimonials_before;
  CREATE TABLE testimonials (LIKE testimonials_before INCLUDING DEFAULTS INCLUDING CONSTRAINTS)
    PARTITION BY HASH (user_id);
  FOR part IN 0..31 LOOP
    EXECUTE format('CREATE TABLE testimonials_%s PARTITION OF testimonials
      FOR VALUES WITH (MODULUS 32, REMAINDER %s) WITH (fillfactor = 85)', part, part);
  END LOOP;
  INSERT INTO testimonials SELECT * FROM testimonials_before;
  ALTER TABLE testimonials_before DROP CONSTRAINT testimonials_pkey;
  ALTER TABLE testimonials ADD CONSTRAINT testimonials_pkey PRIMARY KEY (user_id, id);
  -- What is left is made again as it was, by its own definition, once its name is free.
  FOR statement IN
    SELECT format('ALTER INDEX %s RENAME TO %I', indexrelid::regclass, 'before_' || relname) || '; ' ||
      replace(pg_get_indexdef(indexrelid), '.testimonials_before ', '.testimonials ')
    FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
    WHERE indrelid = 'testimonials_before'::regclass
    UNION ALL
    SELECT format('ALTER TABLE testimonials ADD CONSTRAINT %I %s', conname, pg_get_constraintdef(oid))
    FROM pg_constraint WHERE conrelid = 'testimonials_before'::regclass AND contype = 'f'
    UNION ALL
    SELECT replace(pg_get_triggerdef(oid), '.testimonials_before ', '.testimonials ')
    FROM pg_trigger WHERE tgrelid = 'testimonials_before'::regclass AND NOT tgisinternal
    UNION ALL
    SELECT replace(pg_get_functiondef(oid), 't testimonials_before', 't testimonials')
    FROM pg_proc WHERE proname = 'testimonial_bytes'
  LOOP
    EXECUTE statement;
  END LOOP;
  DROP TABLE testimonials_before CASCADE;
END
$$;
ANALYZE testimonials;
