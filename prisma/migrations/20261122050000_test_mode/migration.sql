-- Test mode: the rows of a sibling account, so that every query stays as it is. A live account has one
-- at most, made when it is first asked for; nobody signs in to it.
ALTER TABLE "users" ADD COLUMN "live_user_id" uuid;
CREATE UNIQUE INDEX "users_live_user_id_key" ON "users" ("live_user_id");
ALTER TABLE "users" ADD CONSTRAINT "users_live_user_id_fkey" FOREIGN KEY ("live_user_id")
  REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Where it is set, the session is in test mode, and these are the rows its pages show.
ALTER TABLE "sessions" ADD COLUMN "test_account_id" uuid;
CREATE INDEX "sessions_test_account_id_idx" ON "sessions" ("test_account_id");
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_test_account_id_fkey" FOREIGN KEY ("test_account_id")
  REFERENCES "users" ("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- A sibling has the plan of its live account and is closed with it, whoever changes that. The columns
-- are named so that what changes others, as each event does, never calls it.
CREATE FUNCTION "follow_live_user"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE users SET plan = NEW.plan, closed_at = coalesce(closed_at, NEW.closed_at)
  WHERE live_user_id = NEW.id
    AND (plan <> NEW.plan OR closed_at IS NULL AND NEW.closed_at IS NOT NULL);
  RETURN NULL;
END
$$;
CREATE TRIGGER "users_follow_live_user" AFTER UPDATE OF "plan", "closed_at" ON "users"
  FOR EACH ROW EXECUTE FUNCTION "follow_live_user"();
