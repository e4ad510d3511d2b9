import { hourlyJob, repeatUntil } from './background/hourly';
import { Prisma } from './database/generated/client';
import { instant } from './database/sql/instants';
import { removalBatch } from './database/sql/removing';
import { longestDelaysMs as mailMs } from './mail/queue';
import { removalLimits } from './storage/removal-queue';
import { longestDelaysMs as transcriptionMs } from './transcription/backoff';
import { transcriptionLimits } from './transcription/limits';
import { webhookLimits } from './webhooks/limits';
import { longestDelaysMs as webhookMs } from './webhooks/sending/backoff';

/**
 * The clock of another session may be read a moment later than ours, and what it wrote is seen all the
 * same.
 */
const clockToleranceSeconds = 60;

/** What waits in a table until an instant of its own. All but the intervals is trusted text. */
type Waiting = {
  table: string;
  column: string;
  condition: string;
  /** The longest wait that a row can be given: an interval, of the row. */
  longest: Prisma.Sql;
  /** A lease, whose holder may live and is to have the time to renew it. */
  isLease?: boolean;
};

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
    isLeft = (await repeatUntil(endAt, removalBatch, endFarWaits(one, now))) || isLeft;
  }
  return isLeft;
});

/**
 * A statement that ends the wait of up to a batch of rows which lies further ahead than it can have been
 * set: the clock was ahead then. A lease ends as one that begins now. It passes over rows that others have
 * locked.
 */
function endFarWaits(one: Waiting, now: Date | undefined): Prisma.Sql {
  const [table, column] = [Prisma.raw(one.table), Prisma.raw(one.column)];
  const at = instant(now);
  const later = Prisma.sql`${at} + make_interval(secs => ${clockToleranceSeconds}::int)`;
  // The first of the two bounds is for indexes.
  return Prisma.sql`
    UPDATE ${table} SET ${column} = ${at}${one.isLease ? Prisma.sql` + ${one.longest}` : Prisma.empty}
    WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM ${table} WHERE ${Prisma.raw(one.condition)}
        AND ${column} > ${later} AND ${column} > ${later} + ${one.longest}
      LIMIT ${removalBatch} FOR UPDATE SKIP LOCKED
    ))`;
}

/** The longest wait of a row, in milliseconds by how many it has of `column`; the last one repeats. */
function longestBy(column: string, waitsMs: readonly number[]): Prisma.Sql {
  return Prisma.sql`interval '1 millisecond' * (${[...waitsMs]}::float8[])[
    least(${Prisma.raw(column)} + 1, ${waitsMs.length}::int)]`;
}

function milliseconds(ms: number): Prisma.Sql {
  return Prisma.sql`interval '1 millisecond' * ${ms}::float8`;
}
