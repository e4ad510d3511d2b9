-- The service fills a plain now() itself, by its own clock. A key expires by the database's clock,
-- and its lifetime is counted from its creation: both have to be told by one clock.
ALTER TABLE "api_keys" ALTER COLUMN "created_at" SET DEFAULT clock_timestamp();
