-- Where an attempt went: the endpoint may have been sent elsewhere since. Null for those before this,
-- and bounded as an endpoint's URL is. Like the rest of the log it counts nowhere, and goes with it.
ALTER TABLE "webhook_attempts" ADD COLUMN "url" varchar(2048);

-- The key that a rotation made in place of this one. Unique, and so indexed for the deletion of keys.
ALTER TABLE "api_keys" ADD COLUMN "replaced_by" uuid;
CREATE UNIQUE INDEX "api_keys_replaced_by_key" ON "api_keys" ("replaced_by");
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_replaced_by_fkey"
  FOREIGN KEY ("replaced_by") REFERENCES "api_keys" ("id") ON DELETE SET NULL ON UPDATE CASCADE;
