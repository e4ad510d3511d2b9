import { randomUUID } from 'node:crypto';
import { removeData } from '@/src/accounts/deletion';
import { trimSessions } from '@/src/accounts/sessions';
import { mailTrimmingJob, sessionTrimmingJob } from '@/src/accounts/trimming-job';
import { auditTrimmingJob } from '@/src/audit/trimming-job';
import type { Job } from '@/src/background/job';
import { database } from '@/src/database/client';
import { removalBatch } from '@/src/database/sql/removing';
import { idempotencyLimits } from '@/src/idempotency/limits';
import { idempotencyTrimmingJob } from '@/src/idempotency/trimming-job';
import { claimMails, mailLimits } from '@/src/mail/queue';
import { claimRemovals, putOffElsewhere } from '@/src/storage/removal-queue';
import { queueUnnamed } from '@/src/storage/stored-files';
import { unnamedFilesJob } from '@/src/storage/unnamed-files-job';
import { claimTranscriptions, endUnwanted } from '@/src/transcription/queue';
import { logTrimmingJob } from '@/src/webhooks/log-trimming';
import { createAccount } from '../helpers/accounts';
import { during, onServer } from '../helpers/locks';
import { withOwnDatabase } from '../helpers/own-database';
import { statementsDuring } from '../helpers/statements';
import { insertRows } from '../requests/log';
import { publicUrl, temporaryFiles } from '../storage/files';

withOwnDatabase();
temporaryFiles();

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000);

/** A round of a job, as a process begins it in a month. */
async function round(job: Job): Promise<void> {
  const context = { random: Math.random, isAlone: false, onDone: () => {} };
  const running = job.begin({ ...context, now: inHours(400 * 24) });
  await running.start();
  await running.settled();
}

type Insert = (accountId: string, count: number) => Promise<unknown>;

const keys: Insert = (id, count) => database().$executeRaw`
  INSERT INTO idempotency_keys (user_id, key_digest, request_digest, status, body)
  SELECT ${id}::uuid, sha256(n::text::bytea), '', 201, 'x' FROM generate_series(1, ${count}::int) n`;
const entries: Insert = (id, count) => database().$executeRaw`
  INSERT INTO audit_entries (user_id, subject_type, subject_id, subject_name, action, actor_type)
  SELECT ${id}::uuid, 'api_key', gen_random_uuid(), 'Key', 'created', 'command_line'
  FROM generate_series(1, ${count}::int)`;
const events: Insert = (id, count) => database().$executeRaw`
  INSERT INTO webhook_events (user_id, type, resource_id, sequence, data)
  SELECT ${id}::uuid, 'testimonial.created', gen_random_uuid(), 1, '{}'
  FROM generate_series(1, ${count}::int)`;
const mails: Insert = (userId, count) =>
  database().mail.createMany({
    data: Array.from({ length: count }, () => ({ kind: 'test', userId, expiresAt: inHours(1) })),
  });
const sessions =
  (hours: number): Insert =>
  (userId, count) =>
    database().session.createMany({
      data: Array.from({ length: count }, () => ({
        userId,
        token: randomUUID(),
        expiresAt: inHours(hours),
      })),
    });
const spaces: Insert = (id, count) => database().$executeRaw`
  INSERT INTO spaces (user_id, name, slug)
  SELECT ${id}::uuid, 'A space', 'a-space-' || n FROM generate_series(1, ${count}::int) n`;
const requests: Insert = (id, count) =>
  insertRows(
    id,
    Array.from({ length: count }, () => ({ receivedAt: new Date() })),
  );
const key = (id: string) => `avatar/${id}/${randomUUID()}.png`;
const removalsFrom =
  (base: string): Insert =>
  (userId, count) =>
    database().fileRemoval.createMany({
      data: Array.from({ length: count }, () => key(userId)).map((key) => ({
        key,
        url: base + key,
        userId,
        nextAttemptAt: inHours(-1),
      })),
    });
const removals = removalsFrom(`${publicUrl}/files/`);
const removalsElsewhere = removalsFrom('https://bucket.example/');
const files: Insert = (userId, count) =>
  database().storedFile.createMany({
    data: Array.from({ length: count }, () => key(userId)).map((key) => ({
      key,
      url: `${publicUrl}/files/${key}`,
      userId,
      bytes: 1,
    })),
  });
const jobs: Insert = (userId, count) =>
  database().transcriptionJob.createMany({
    data: Array.from({ length: count }, () => ({
      testimonialId: randomUUID(),
      userId,
      nextAttemptAt: inHours(-1),
      textHash: 0,
    })),
  });

const claim = { free: 6, underWay: new Map(), token: randomUUID(), start: randomUUID() };

/** The table, what puts rows into it, what removes or takes them all, and which rows are left. */
const cases: [table: string, Insert, task: (id: string) => Promise<unknown>, left?: string][] = [
  ['idempotency_keys', keys, () => round(idempotencyTrimmingJob)],
  ['audit_entries', entries, () => round(auditTrimmingJob)],
  ['webhook_events', events, () => round(logTrimmingJob)],
  ['mails', mails, () => round(mailTrimmingJob)],
  ['mails', mails, () => claimMails(4), 'attempt_count = 0'],
  ['sessions', sessions(1), () => round(sessionTrimmingJob)],
  ['sessions', sessions(-1), (id) => trimSessions(id)],
  ['spaces', spaces, (id) => removeData(id, () => true)],
  ['request_log', requests, (id) => removeData(id, () => true)],
  [
    'file_removals',
    removals,
    () => claimRemovals({ limit: 4, start: randomUUID() }),
    'attempt_count = 0',
  ],
  [
    'file_removals',
    removalsElsewhere,
    (id) => putOffElsewhere([id]),
    'next_attempt_at <= clock_timestamp()',
  ],
  ['stored_files', files, () => queueUnnamed(inHours(25)), 'checked_at IS NULL'],
  ['transcription_jobs', jobs, (id) => endUnwanted([id])],
];

describe.each(cases)('of %s', (table, insert, task, left = 'true') => {
  onServer('those that somebody has locked are passed over, and waited for by nobody', async () => {
    const accountId = await createAccount();
    await insert(accountId, 3);
    const own = `user_id = '${accountId}'`;
    const [found] = await database().$queryRawUnsafe<{ place: string; name: string }[]>(
      `SELECT ctid::text AS place, tableoid::regclass::text AS name FROM ${table} WHERE ${own} LIMIT 1`,
    );
    const lock = `SELECT FROM ${found?.name} WHERE ctid = '${found?.place}' FOR UPDATE`;
    await during([lock], () => task(accountId));
    const rows = await database().$queryRawUnsafe<unknown[]>(
      `SELECT 1 FROM ${table} WHERE ${own} AND ${left}`,
    );
    expect(rows).toHaveLength(1);
  });
});

onServer('a transcription that somebody has locked is left for the next look', async () => {
  const accountId = await createAccount();
  await jobs(accountId, 3);
  const lock = `SELECT FROM transcription_jobs WHERE testimonial_id =
    (SELECT min(testimonial_id::text)::uuid FROM transcription_jobs) FOR UPDATE`;
  const { mayHaveMore } = await during([lock], () => claimTranscriptions(claim));
  expect(mayHaveMore).toBe(true);
});

test.each<[string, Insert, batch: number, task: (id: string) => Promise<unknown>]>([
  ['idempotency_keys', keys, idempotencyLimits.trimBatch, () => round(idempotencyTrimmingJob)],
  ['mails', mails, mailLimits.trimBatch, () => round(mailTrimmingJob)],
  ['spaces', spaces, removalBatch, (id) => removeData(id, () => true)],
  ['stored_files', files, 100, () => round(unnamedFilesJob)],
])('%s are taken in batches', async (table, insert, batch, task) => {
  const accountId = await createAccount();
  await insert(accountId, 2 * batch + 1);
  const statements = await statementsDuring(() => task(accountId));
  const removing = statements.filter(({ text }) =>
    [`DELETE FROM ${table}`, `UPDATE ${table}`].some((change) => text.includes(change)),
  );
  // Of spaces there is one more that finds none.
  expect(removing).toHaveLength(table === 'spaces' ? 4 : 3);
});
