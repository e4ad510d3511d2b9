-- A lease is short and renewed by its holder, so that its end no longer tells when it began.
ALTER TABLE "webhook_deliveries"
  ADD COLUMN "leased_at" timestamptz(6),
  ADD COLUMN "interruption_count" smallint NOT NULL DEFAULT 0;
