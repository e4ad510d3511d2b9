import { accountsToDelete, removeData } from '@/src/accounts/deletion';
import { accountDeletionJob } from '@/src/accounts/deletion-job';
import { startDrain } from '@/src/background/drain';
import { database } from '@/src/database/client';
import { removalBatch } from '@/src/database/sql/removing';
import { env } from '@/src/env';
import { log } from '@/src/logging/log';
import { startScript } from '../database/processes';
import { createAccount, createKey, createTenant } from '../helpers/accounts';
import { client } from '../helpers/client';
import { digestOfAccount } from '../helpers/digest';
import { drainAt } from '../helpers/drain';
import { createEndpoint } from '../helpers/endpoints';
import { failChanges, mendChanges } from '../helpers/failing-changes';
import { onServer } from '../helpers/locks';
import { withOwnDatabase } from '../helpers/own-database';
import { askAuth, callTrpc, password } from '../helpers/session';
import { tablesOfAccounts } from '../helpers/tables-of-accounts';
import { intoTestMode } from '../helpers/test-mode';
import { drain as drainFiles, exists, temporaryFiles } from '../storage/files';
import { answerWith } from '../webhooks/receiver';
import { addTestimonials, askToClose, close, createPerson, rowsOf } from './person';

const folder = temporaryFiles();
withOwnDatabase();

const told = 'account not deleted yet';

const later = (seconds: number) => new Date(Date.now() + seconds * 1000);

/** Removes what is due to go at that time. */
async function drainDeletions(now?: Date, hasFailed = false): Promise<void> {
  const drain = startDrain([accountDeletionJob], { deadlineAt: Date.now() + 60_000, now });
  expect((await drain.finished).hasFailed).toBe(hasFailed);
}

/** The job as a process begins it, when a closed account is due. */
const beginDeletion = () =>
  accountDeletionJob.begin({
    now: later(61),
    random: Math.random,
    isAlone: false,
    onDone: () => {},
  });

test('a person of these tests has something in every table that names accounts', async () => {
  const { accountId } = await createPerson(folder);
  const tables = [...(await tablesOfAccounts()), 'users', 'webhook_deliveries', 'webhook_attempts'];
  expect(tables.length).toBeGreaterThan(15);
  const kept = await rowsOf(accountId);
  // What is queued for removal comes with the deletion.
  expect(tables.filter((name) => !kept[name])).toEqual(['file_removals']);
});

test.each([
  ['a wrong password', { password: 'wrong password' }, 400, 'INVALID_PASSWORD'],
  ['another address', { email: 'another@example.com' }, 422, 'OTHER_EMAIL'],
  ['no password', { password: undefined }, 400, 'VALIDATION_ERROR'],
])('with %s nothing is closed', async (_, changes, status, code) => {
  const person = await createPerson(folder);
  const answer = await askToClose(person, changes);
  expect([answer.status, (await answer.json()).code]).toEqual([status, code]);
  expect((await person.api.get('/spaces')).status).toBe(200);
});

test('without a session nothing is closed', async () => {
  const { email } = await createPerson(folder);
  expect((await askAuth('/delete-account', { email, password })).status).toBe(401);
});

test('with an account its test account is closed: its keys are gone and its endpoints are off', async () => {
  const person = await createPerson(folder);
  const { accountId: userId } = await intoTestMode(person);
  await createKey(userId);
  const endpointId = await createEndpoint(userId, ['testimonial.created']);
  await close(person);
  expect(await database().apiKey.count({ where: { userId } })).toBe(0);
  const endpoint = await database().webhookEndpoint.findUniqueOrThrow({
    where: { id: endpointId },
  });
  expect(endpoint.enabled).toBe(false);
});

test('a closed account can do nothing from that moment on, and its address is free', async () => {
  const person = await createPerson(folder);
  const { api, cookie, email, receiver } = person;
  const before = receiver.received.length;
  const answer = await askToClose(person, { email: email.toUpperCase() });
  expect(answer.status).toBe(200);
  expect(answer.headers.getSetCookie().join()).toMatch(/session_token=;/);
  const own = { where: { userId: person.accountId } };
  expect([await database().signInMethod.count(own), await database().mail.count(own)]).toEqual([
    0, 0,
  ]);
  // As long as its rows are there they name nobody: without a name of its own it is the address.
  const { name } = await database().user.findUniqueOrThrow({ where: { id: person.accountId } });
  expect(name).toBe('');
  expect((await api.get('/spaces')).status).toBe(401);
  expect((await api.post('/spaces', { name: 'Another' })).body.error.code).toBe('INVALID_API_KEY');
  expect((await callTrpc('query', 'spaces.list', {}, { cookie })).status).toBe(401);
  expect((await askAuth('/sign-in/email', { email, password })).status).toBe(401);
  await drainAt(later(3600));
  expect(receiver.received).toHaveLength(before);
  expect((await askAuth('/sign-up/email', { email, password, name: 'Ada' })).status).toBe(200);
});

test('what was under way as it was closed opens nothing: neither a session nor a key made late', async () => {
  const person = await createPerson(folder);
  const { accountId: userId, cookie } = person;
  const session = await database().session.findFirstOrThrow({ where: { userId } });
  await close(person);
  await database().session.create({ data: session });
  expect((await callTrpc('query', 'spaces.list', {}, { cookie })).status).toBe(401);
  const key = await createKey(userId);
  expect((await client(key).get('/spaces')).status).toBe(401);
});

test('the test data goes with it, and before it', async () => {
  const person = await createPerson(folder);
  const { accountId, headers } = await intoTestMode(person);
  await callTrpc('mutation', 'testMode.addSamples', undefined, headers);
  const api = client(await createKey(accountId));
  await close(person);
  expect((await api.get('/spaces')).status).toBe(401);
  expect(await accountsToDelete(later(61))).toEqual([accountId]);
  await drainDeletions(later(61));
  await drainFiles(later(61));
  expect(await rowsOf(accountId)).toEqual({});
  expect(await rowsOf(person.accountId)).toEqual({});
});

test('a minute later all of it goes, rows and files, and nothing of another account', async () => {
  const [person, other] = [await createPerson(folder), await createPerson(folder)];
  await addTestimonials(person, 1200);
  const before = await digestOfAccount(other.accountId);
  await close(person);
  const kept = await rowsOf(person.accountId);
  await drainDeletions(later(50));
  expect(await rowsOf(person.accountId)).toEqual(kept);
  await drainDeletions(later(61));
  expect(Object.keys(await rowsOf(person.accountId)).sort()).toEqual([
    'file_removals',
    'stored_files',
  ]);
  await drainFiles(later(61));
  expect(await rowsOf(person.accountId)).toEqual({});
  expect(await exists(person.video.path)).toBe(false);
  expect(await exists(other.video.path)).toBe(true);
  expect(await digestOfAccount(other.accountId)).toBe(before);
  expect((await other.api.get('/testimonials')).body.pagination.total).toBe(2);
});

test('emptied of its data, it keeps what is of the account itself and nothing else, of every table', async () => {
  const { accountId } = await createPerson(folder);
  expect(await removeData(accountId, () => true)).toMatchObject({ isDone: true });
  expect(Object.keys(await rowsOf(accountId)).sort()).toEqual([
    'account_links',
    'api_keys',
    'audit_entries',
    // Files, which go by themselves.
    'file_removals',
    'mails',
    'sessions',
    'sign_in_methods',
    'stored_files',
    'users',
    'webhook_endpoints',
  ]);
});

test('a file is queued also behind as many as one statement takes that are queued already', async () => {
  const userId = await createAccount();
  await database().$executeRaw`
    INSERT INTO stored_files (key, url, user_id, bytes)
    SELECT ${userId} || to_char(number, '/FM0000'), '', ${userId}::uuid, 1
    FROM generate_series(0, ${removalBatch}::int) number`;
  await database().$executeRaw`
    INSERT INTO file_removals (key, url, user_id)
    SELECT key, url, user_id FROM stored_files WHERE user_id = ${userId}::uuid
    ORDER BY key LIMIT ${removalBatch}::int`;
  await removeData(userId, () => true);
  expect(await database().fileRemoval.count({ where: { userId } })).toBe(removalBatch + 1);
});

test('the sums of an account hold at every step of its deletion', async () => {
  const person = await createPerson(folder);
  await addTestimonials(person, 700);
  await close(person);
  const running = beginDeletion();
  await running.start();
  const sums = () => database().$queryRaw<{ kept: bigint; real: bigint; counted: number }[]>`
    SELECT stored_bytes AS kept, stored_bytes_of(id) AS real,
      testimonial_count - (SELECT count(*) FROM testimonials t WHERE t.user_id = u.id)::int AS counted
    FROM users u WHERE id = ${person.accountId}::uuid`;
  let row = (await sums())[0];
  while (row) {
    expect(row.kept).toBe(row.real);
    expect(row.counted).toBe(0);
    row = (await sums())[0];
  }
  await running.settled();
  expect(await database().testimonial.count({ where: { user_id: person.accountId } })).toBe(0);
});

test('a process that is told to stop ends after its step, and another goes on', async () => {
  const person = await createPerson(folder);
  await addTestimonials(person, 1200);
  await close(person);
  const running = beginDeletion();
  expect(await running.start()).toMatchObject({ started: 1 });
  expect(await running.start()).toMatchObject({ started: 0 });
  running.abort();
  await running.settled();
  expect(await rowsOf(person.accountId)).toMatchObject({ users: 1 });
  await drainDeletions(later(61));
  expect(await rowsOf(person.accountId)).not.toHaveProperty('users');
});

onServer(
  'a process is killed in the middle of it while another does the same: all of it goes',
  async () => {
    const [person, other] = [await createPerson(folder), await createPerson(folder)];
    await addTestimonials(person, 5000);
    const before = await digestOfAccount(other.accountId);
    await close(person);
    const { DATABASE_URL = '', SECRET_KEY = '' } = env();
    const start = () => startScript('../accounts/deleting-process.ts', DATABASE_URL, SECRET_KEY);
    const children = [start(), start()];
    await Promise.all(children.map((child) => child.nextLine()));
    const left = () => database().testimonial.count({ where: { user_id: person.accountId } });
    while ((await left()) > 4000);
    await children[0]?.kill();
    await children[1]?.kill();
    await drainDeletions(later(61));
    await drainFiles(later(61));
    expect(await rowsOf(person.accountId)).toEqual({});
    expect(await digestOfAccount(other.accountId)).toBe(before);
  },
);

test('an account that writes while it is closed gets answers, and leaves nothing', async () => {
  const person = await createPerson(folder);
  const writes = Array.from({ length: 30 }, () =>
    person.api.post('/testimonials', person.testimonial),
  );
  await Promise.all([...writes, close(person)]);
  for (const { status } of await Promise.all(writes)) expect([201, 401]).toContain(status);
  await drainDeletions(later(61));
  await drainFiles(later(61));
  expect(await rowsOf(person.accountId)).toEqual({});
});

test('an endpoint that answers while its account is deleted is no failure', async () => {
  const person = await createPerson(folder);
  const held = new Promise<void>((resolve) => {
    person.receiver.answer = (response) => {
      resolve();
      setImmediate(() => answerWith(response, 200));
    };
  });
  await person.api.post('/testimonials', person.testimonial);
  const sending = drainAt(later(1));
  await held;
  await close(person);
  await drainDeletions(later(61));
  await sending;
  expect(await rowsOf(person.accountId)).not.toHaveProperty('users');
});

test('behind as many accounts as are looked for at once, whose deletion fails, another comes to its turn', async () => {
  const stuck = await Promise.all(Array.from({ length: 20 }, createAccount));
  await database()
    .$executeRaw`UPDATE users SET closed_at = now() WHERE id = ANY (${stuck}::uuid[])`;
  const person = await createPerson(folder);
  await close(person);
  const left = () => database().user.count({ where: { id: { in: stuck } } });
  await database().$executeRawUnsafe(
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'stuck'; END $$`,
  );
  await database().$executeRawUnsafe(
    `CREATE TRIGGER stuck BEFORE DELETE ON users FOR EACH ROW WHEN (OLD.name = 'Test')
    EXECUTE FUNCTION refuse()`,
  );
  const error = jest.spyOn(log(), 'error').mockReturnValue();
  try {
    await drainDeletions(later(61), true);
    expect(await rowsOf(person.accountId)).not.toHaveProperty('users');
    expect(await left()).toBe(20);
    await drainDeletions(later(61), true);
    // All of one kind: a database that takes no writes would fill the log with them.
    expect(error.mock.calls).toEqual([
      [expect.objectContaining({ accountId: expect.any(String), times: 1 }), told],
    ]);
  } finally {
    error.mockRestore();
    await database().$executeRawUnsafe('DROP FUNCTION refuse CASCADE');
  }
  await drainDeletions(later(61));
  expect(await left()).toBe(0);
});

test('where the test data cannot go yet, the account waits for it, and no file is left', async () => {
  const person = await createPerson(folder);
  const { accountId, headers } = await intoTestMode(person);
  await callTrpc('mutation', 'testMode.addSamples', undefined, headers);
  // Looked at before, so that nobody looks again whether a row names them.
  await database().storedFile.updateMany({ where: {}, data: { checkedAt: new Date() } });
  await close(person);
  const error = jest.spyOn(log(), 'error').mockReturnValue();
  await failChanges('DELETE', 'testimonials', { when: `OLD.user_id = '${accountId}'`, times: 1 });
  await drainDeletions(later(61), true);
  error.mockRestore();
  await mendChanges();
  await drainDeletions(later(61));
  await drainFiles(later(61));
  expect(await rowsOf(accountId)).toEqual({});
  expect(await rowsOf(person.accountId)).toEqual({});
});

test('deleting again, or somebody who is not there, changes nothing', async () => {
  const tenant = await createTenant();
  const before = await digestOfAccount(tenant.accountId);
  await drainDeletions(later(3600));
  expect(await digestOfAccount(tenant.accountId)).toBe(before);
});
