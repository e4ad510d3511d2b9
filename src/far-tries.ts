import { hourlyJob } from './background/hourly';
import { database } from './database/client';
import { endFarWaits, longestBy, milliseconds, type Waiting } from './database/far-ahead';
import { removalBatch, removeUntil } from './database/removing';
import { longestDelaysMs as mailMs } from './mail/queue';
import { removalLimits } from './storage/removal-queue';
import { longestDelaysMs as transcriptionMs } from './transcription/backoff';
import { transcriptionLimits } from './transcription/limits';
import { longestDelaysMs as webhookMs } from './webhooks/backoff';
import { webhookLimits } from './webhooks/limits';

/** Everything that waits for an instant of its own, and how far ahead that can have been set. */
const waiting: readonly Waiting[] = [
  {
    table: 'webhook_deliveries',
    column: 'next_attempt_at',
    condition: "state = 'pending' AND lease_token IS NULL",
    longest: longestBy('schedule_step', webhookMs),
  },
  {
    table: 'webhook_deliveries',
    column: 'leased_until',
    condition: 'lease_token IS NOT NULL',
    longest: milliseconds(webhookLimits.leaseMs),
    isLease: true,
  },
  {
    table: 'transcription_jobs',
    column: 'next_attempt_at',
    condition: 'lease_token IS NULL',
    longest: longestBy('attempt_count', transcriptionMs),
  },
  {
    table: 'transcription_jobs',
    column: 'next_attempt_at',
    condition: 'lease_token IS NOT NULL',
    longest: milliseconds(transcriptionLimits.leaseMs),
    isLease: true,
  },
  {
    table: 'mails',
    column: 'next_attempt_at',
    condition: 'sent_at IS NULL',
    longest: longestBy('attempt_count', mailMs),
  },
  {
    table: 'file_removals',
    column: 'next_attempt_at',
    condition: 'TRUE',
    longest: milliseconds(removalLimits.longestDelayMs),
  },
  // Its deletion begins so long after this.
  {
    table: 'users',
    column: 'closed_at',
    condition: 'closed_at IS NOT NULL',
    longest: milliseconds(0),
  },
];

/**
 * Has tried at once what was put off by a clock that was ahead, and is set right by now: it would wait
 * for that day. By itself, for a claim that asked for both would find them by no index in order.
 */
export const farTriesJob = hourlyJob('tries far ahead', async ({ endAt, now }) => {
  let isLeft = false;
  for (const one of waiting) {
    const end = () => database().$executeRaw(endFarWaits(one, now));
    isLeft = (await removeUntil(endAt, removalBatch, end)) || isLeft;
  }
  return isLeft;
});
