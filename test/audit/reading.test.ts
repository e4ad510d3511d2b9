import { auditLimits } from '@/src/audit/limits';
import type { AuditPage } from '@/src/audit/schema';
import { auditTrimmingJob } from '@/src/audit/trimming-job';
import { startDrain } from '@/src/background/drain';
import { database } from '@/src/database/client';
import { createAccount } from '../helpers/accounts';
import { callerOf } from '../helpers/caller';
import { drainAt } from '../helpers/drain';
import { later } from '../helpers/durations';
import { withOwnDatabase } from '../helpers/own-database';
import { callTrpc, signUp } from '../helpers/session';
import { statementsDuring } from '../helpers/statements';
import { answerWith } from '../webhooks/receiver';
import { newSending } from '../webhooks/sending';
import { entriesOf } from './audit';

withOwnDatabase();

/** Entries of an account, a minute apart, the newest as old as that. */
async function insertEntries(accountId: string, count: number, days = 0): Promise<void> {
  await database().$executeRaw`
    INSERT INTO audit_entries (user_id, subject_type, subject_id, subject_name, action, actor_type,
      created_at)
    SELECT ${accountId}::uuid, 'api_key', gen_random_uuid(), 'Key ' || n, 'created', 'command_line',
      clock_timestamp() - make_interval(days => ${days}::int, mins => n)
    FROM generate_series(1, ${count}::int) n`;
}

const trim = async () => {
  const drain = startDrain([auditTrimmingJob], { deadlineAt: Date.now() + 60_000 });
  expect((await drain.finished).hasFailed).toBe(false);
};

test('the list is newest first, in pages that neither skip nor repeat, and ends', async () => {
  const accountId = await createAccount();
  await insertEntries(accountId, 60);
  await database()
    .$executeRaw`UPDATE audit_entries SET created_at = date_trunc('hour', created_at)`;
  const { audit } = callerOf(accountId);
  const seen: string[] = [];
  const places: string[] = [];
  let cursor: AuditPage['next_cursor'] = null;
  do {
    const page: AuditPage = await audit.list({ limit: 25, cursor });
    seen.push(...page.data.map(({ id }) => id));
    places.push(...page.data.map(({ created_at }) => created_at));
    cursor = page.next_cursor;
  } while (cursor);
  expect(new Set(seen).size).toBe(60);
  expect(places).toEqual([...places].sort().reverse());
});

test.each([
  'start',
  '2026-01-01T00:00:00.000000+00:00',
  '0000-01-01T00:00:00.000000+00:00,00000000-0000-0000-0000-000000000000',
  '2026-01-01T00:00:00.000000+23:00,00000000-0000-0000-0000-000000000000',
  '2026-02-30T00:00:00.000000+00:00,00000000-0000-0000-0000-000000000000',
  '2026-01-01T00:00:00.000000+00:00,not-an-id',
  `2026-01-01T00:00:00.000000+00:00,00000000-0000-0000-0000-000000000000,${'x'.repeat(100)}`,
])('a cursor that is none of ours is refused: %s', async (cursor) => {
  const { cookie } = await signUp();
  const answer = await callTrpc('query', 'audit.list', { cursor }, { cookie });
  expect(answer.status).toBe(400);
});

test('a key or an endpoint has a list of its own', async () => {
  const accountId = await createAccount();
  const { apiKeys, audit } = callerOf(accountId);
  const { id } = await apiKeys.create({ name: 'One', scopes: ['read'] });
  await apiKeys.create({ name: 'Two', scopes: ['read'] });
  const { data } = await audit.list({ subject_id: id });
  expect(data.map(({ subject }) => subject.name)).toEqual(['One']);
});

test('what is older than a year is not shown, and is removed', async () => {
  const accountId = await createAccount();
  await insertEntries(accountId, 3);
  await insertEntries(accountId, auditLimits.trimBatch + 1, auditLimits.days);
  expect(await entriesOf(accountId)).toHaveLength(3);
  await trim();
  expect(await database().auditEntry.count({ where: { userId: accountId } })).toBe(3);
});

test('where a round had no time for all, the next comes soon', async () => {
  await insertEntries(await createAccount(), auditLimits.trimBatch + 1, auditLimits.days);
  // Time for one statement.
  let looks = 0;
  jest.spyOn(Date, 'now').mockImplementation(() => looks++);
  const context = { random: Math.random, isAlone: true, deadlineAt: 2, onDone: () => {} };
  const job = auditTrimmingJob.begin(context);
  await job.start();
  await job.settled();
  jest.restoreAllMocks();
  expect(await database().auditEntry.count()).toBe(1);
  expect(await job.nextDueInMs()).toBeLessThan(3_000_000);
});

test('of an account with too many the oldest are removed, and none of another; all are counted once', async () => {
  const [full, other] = [await createAccount(), await createAccount()];
  await insertEntries(full, auditLimits.entriesPerAccount + auditLimits.trimBatch + 1);
  // Older than any that the first may keep.
  await insertEntries(other, 3, 30);
  const statements = await statementsDuring(trim);
  expect(statements.filter(({ text }) => text.includes('count(*)'))).toHaveLength(1);
  const kept = (userId: string) => database().auditEntry.findMany({ where: { userId } });
  const names = new Set((await kept(full)).map(({ subjectName }) => subjectName));
  expect(names.size).toBe(auditLimits.entriesPerAccount);
  expect(names.has('Key 1')).toBe(true);
  expect(names.has(`Key ${auditLimits.entriesPerAccount + 1}`)).toBe(false);
  expect(await kept(other)).toHaveLength(3);
});

test('that the service switched an endpoint off is told, with the reason, once', async () => {
  const sending = await newSending((response) => answerWith(response, 410));
  await sending.write();
  await sending.write();
  await drainAt(later());
  expect((await sending.endpoint()).status).toBe('switched_off');
  const entries = await entriesOf(sending.tenant.accountId);
  const off = entries.filter(({ action }) => action === 'switched_off');
  expect(off).toMatchObject([
    {
      subject: { id: sending.endpointId, name: sending.receiver.url },
      changes: { disabled_reason: { before: null, after: 'gone' } },
      actor: { type: 'service', name: null, address: null },
    },
  ]);
});
