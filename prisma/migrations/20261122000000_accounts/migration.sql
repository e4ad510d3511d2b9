-- A closed account: nobody can use it any more, and a job removes what it has, step by step.
ALTER TABLE "users" ADD COLUMN "closed_at" timestamptz(6);
CREATE INDEX "users_closed_at_idx" ON "users" ("closed_at") WHERE "closed_at" IS NOT NULL;
-- Its files are found by it.
CREATE INDEX "stored_files_user_id_idx" ON "stored_files" ("user_id");

-- Mails that are still to be sent. Of what a mail says only what cannot be looked up is kept, and no
-- secret: links are made of the id when it is sent. What an account gets a bounded number of in a day
-- stays for that day after it was sent. No foreign key: who asks for a new password may
-- have no account, and finding out takes time that would tell.
CREATE TABLE "mails" (
  "id" uuid NOT NULL DEFAULT gen_random_uuid(),
  "user_id" uuid,
  "kind" text NOT NULL,
  "recipient" text,
  "data" json NOT NULL DEFAULT '{}',
  "attempt_count" integer NOT NULL DEFAULT 0,
  "problem" text,
  "sent_at" timestamptz(6),
  "next_attempt_at" timestamptz(6) NOT NULL DEFAULT clock_timestamp(),
  "expires_at" timestamptz(6) NOT NULL,
  "created_at" timestamptz(6) NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT "mails_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "mails_next_attempt_at_idx" ON "mails" ("next_attempt_at");
CREATE INDEX "mails_user_id_idx" ON "mails" ("user_id");

-- What a link in a mail is good for; one of each purpose for an account.
CREATE TABLE "account_links" (
  "user_id" uuid NOT NULL,
  "purpose" text NOT NULL,
  "digest" text NOT NULL,
  "email" text NOT NULL,
  "requested_at" timestamptz(6) NOT NULL,
  "expires_at" timestamptz(6) NOT NULL,
  CONSTRAINT "account_links_pkey" PRIMARY KEY ("user_id", "purpose"),
  CONSTRAINT "account_links_user_id_fkey" FOREIGN KEY ("user_id")
    REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "account_links_digest_key" ON "account_links" ("digest");

-- The begin of the streak of failures that a mail has told of, so that each streak has one.
ALTER TABLE "webhook_endpoints" ADD COLUMN "mailed_failing_since" timestamptz(6);
