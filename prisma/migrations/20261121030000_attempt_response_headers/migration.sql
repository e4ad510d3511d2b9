-- Pairs of name and value in the order in which they came. Null where no answer came, and for
-- attempts made before this migration.
ALTER TABLE "webhook_attempts" ADD COLUMN "response_headers" json;
