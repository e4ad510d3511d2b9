import { randomBytes, randomUUID } from 'node:crypto';
import { createApiKey } from '@/src/api-keys/api-keys';
import { createApiKeyInput } from '@/src/api-keys/schema';
import { commandLine } from '@/src/audit/actor';
import { database } from '@/src/database/client';
import { provideEnv } from '@/src/env';
import { type Mode, modeHeader } from '@/src/mode';
import { countProcedure } from '@/src/rate-limit/counter';
import { dashboardLimits } from '@/src/rate-limit/limits';
import { callTrpc, signUp } from '../helpers/session';

const { SECRET_KEY = '' } = process.env;

afterEach(() => provideEnv({ SECRET_KEY }));

/** With a page that shows this mode. */
async function signedIn(mode: Mode = 'live') {
  const { cookie, accountId } = await signUp();
  const headers = { cookie, [modeHeader]: mode };
  return {
    accountId,
    query: (name: string, input?: unknown) => callTrpc('query', name, input, headers),
    mutate: (name: string, input: unknown, key?: string) =>
      callTrpc('mutation', name, input, { ...headers, ...(key && { 'idempotency-key': key }) }),
  };
}

type Person = Awaited<ReturnType<typeof signedIn>>;

const subscription = { url: 'https://receiver.example/in', event_types: ['testimonial.created'] };

async function endpointOf({ mutate }: Person): Promise<string> {
  return (await mutate('webhooks.endpoints.create', subscription)).data.id;
}

async function apiKeyOf({ mutate }: Person): Promise<string> {
  return (await mutate('apiKeys.create', { name: 'Old', scopes: ['read'] })).data.id;
}

const countOf = {
  keys: ({ accountId }: Person) => database().apiKey.count({ where: { userId: accountId } }),
  endpoints: ({ accountId }: Person) =>
    database().webhookEndpoint.count({ where: { userId: accountId } }),
  spaces: ({ accountId }: Person) => database().space.count({ where: { user_id: accountId } }),
  events: ({ accountId }: Person) =>
    database().webhookEvent.count({ where: { userId: accountId } }),
  changes: ({ accountId }: Person) => database().auditEntry.count({ where: { userId: accountId } }),
};

const made = async (person: Person) =>
  Promise.all(Object.values(countOf).map((count) => count(person)));

/** What a page makes with one button, and must not make twice. */
const makings: {
  name: string;
  input: (person: Person) => Promise<Record<string, unknown>>;
  other: Record<string, unknown>;
}[] = [
  {
    name: 'apiKeys.create',
    input: async () => ({ name: 'Website', scopes: ['read'], expires_at: null }),
    other: { name: 'Another' },
  },
  {
    name: 'apiKeys.rotate',
    input: async (person) => ({ id: await apiKeyOf(person), overlap_hours: 24 }),
    other: { overlap_hours: 1 },
  },
  { name: 'spaces.create', input: async () => ({ name: 'Northwind' }), other: { name: 'South' } },
  {
    name: 'webhooks.endpoints.create',
    input: async () => subscription,
    other: { url: 'https://receiver.example/other' },
  },
  {
    name: 'webhooks.endpoints.sendTest',
    input: async (person) => ({ id: await endpointOf(person) }),
    other: { event_type: 'testimonial.created' },
  },
];

describe.each(makings)('$name under a key', ({ name, input, other }) => {
  test('is done once, and answered the same again', async () => {
    const person = await signedIn();
    const [asked, key] = [await input(person), randomUUID()];
    const first = await person.mutate(name, asked, key);
    expect(first.status).toBe(200);
    const after = await made(person);
    const again = await person.mutate(name, asked, key);
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect(await made(person)).toEqual(after);
  });

  test('is done once where both arrive together', async () => {
    const person = await signedIn();
    const [asked, key] = [await input(person), randomUUID()];
    const before = await made(person);
    const answers = await Promise.all([1, 2].map(() => person.mutate(name, asked, key)));
    const codes = answers.map(({ status, error }) => (status === 200 ? '' : error?.data.code));
    expect(['', 'IDEMPOTENCY_KEY_IN_USE']).toEqual(expect.arrayContaining(codes));
    const third = await person.mutate(name, asked, key);
    for (const { status, text } of answers) if (status === 200) expect(text).toBe(third.text);
    const once = await made(person);
    await person.mutate(name, asked, randomUUID());
    const twice = await made(person);
    expect(once.map((count, at) => count - (before[at] ?? 0))).toEqual(
      twice.map((count, at) => count - (once[at] ?? 0)),
    );
  });

  test('is refused with other wishes, and done under another key', async () => {
    const person = await signedIn();
    const [asked, key] = [await input(person), randomUUID()];
    await person.mutate(name, asked, key);
    const after = await made(person);
    const refused = await person.mutate(name, { ...asked, ...other }, key);
    expect(refused.error?.data.code).toBe('IDEMPOTENCY_KEY_REUSED');
    expect(await made(person)).toEqual(after);
    const done = await person.mutate(name, { ...asked, ...other }, randomUUID());
    expect(done.status).toBe(200);
    expect(await made(person)).not.toEqual(after);
  });

  test('means nothing to another account', async () => {
    const [one, other] = [await signedIn(), await signedIn()];
    const key = randomUUID();
    const first = await one.mutate(name, await input(one), key);
    const second = await other.mutate(name, await input(other), key);
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.text).not.toBe(first.text);
  });
});

test('samples are added once', async () => {
  const { mutate, query } = await signedIn('test');
  await mutate('testMode.set', { mode: 'test' });
  const key = randomUUID();
  const [first, again] = [
    await mutate('testMode.addSamples', undefined, key),
    await mutate('testMode.addSamples', undefined, key),
  ];
  expect([first.status, again.text]).toEqual([200, first.text]);
  const { spaces, testimonials } = (await query('testMode.count')).data;
  expect([spaces, testimonials]).toEqual([1, first.data.testimonials]);
  await mutate('testMode.addSamples', undefined, randomUUID());
  expect((await query('testMode.count')).data.spaces).toBe(2);
});

test('a secret is rotated once: the one before the lost answer goes on signing', async () => {
  const person = await signedIn();
  const [id, key] = [await endpointOf(person), randomUUID()];
  const rotate = () => person.mutate('webhooks.endpoints.rotateSecret', { id }, key);
  const first = await rotate();
  const stored = () => database().webhookEndpoint.findUniqueOrThrow({ where: { id } });
  const { previousEncryptedSecret } = await stored();
  const again = await rotate();
  expect(again.data.secret).toBe(first.data.secret);
  expect((await stored()).previousEncryptedSecret).toEqual(previousEncryptedSecret);
});

test('an answer with a secret is kept encrypted', async () => {
  const person = await signedIn();
  const [id, key] = [await endpointOf(person), randomUUID()];
  const { data } = await person.mutate('webhooks.endpoints.rotateSecret', { id }, key);
  const kept = await database().$queryRaw<{ body: string }[]>`
    SELECT body FROM idempotency_keys WHERE user_id = ${person.accountId}::uuid`;
  expect(kept).toHaveLength(1);
  expect(JSON.stringify(kept)).not.toContain(data.secret);
});

test('the key of one procedure is refused with another', async () => {
  const person = await signedIn();
  const [input, key] = [{ id: await endpointOf(person) }, randomUUID()];
  await person.mutate('webhooks.endpoints.rotateSecret', input, key);
  const before = await made(person);
  const { error } = await person.mutate('webhooks.endpoints.sendTest', input, key);
  expect(error?.data.code).toBe('IDEMPOTENCY_KEY_REUSED');
  expect(await made(person)).toEqual(before);
});

test('a call with a key is counted like any other', async () => {
  const person = await signedIn();
  const { accountId } = person;
  for (const sessionId of ['one', 'two']) {
    for (let count = 0; count < dashboardLimits.session.requests; count += 1) {
      await countProcedure({ sessionId: `${accountId}-${sessionId}`, accountId });
    }
  }
  const { error } = await person.mutate('spaces.create', { name: 'A' }, randomUUID());
  expect(error?.data.code).toBe('RATE_LIMIT_EXCEEDED');
  expect(await countOf.spaces(person)).toBe(0);
});

test('of an API key that is told again only the digest is stored', async () => {
  const person = await signedIn();
  const token = randomUUID();
  const { data } = await person.mutate('apiKeys.create', { name: 'A', scopes: ['read'] }, token);
  const stored = await database().apiKey.findUniqueOrThrow({ where: { id: data.id } });
  const kept = await database().$queryRaw<{ text: string }[]>`
    SELECT k::text FROM idempotency_keys k WHERE user_id = ${person.accountId}::uuid`;
  for (const secret of [data.key, data.key.slice(8), token]) {
    expect(JSON.stringify([stored, kept])).not.toContain(secret);
  }
});

test('with another SECRET_KEY an API key is not told again, and none is made', async () => {
  const person = await signedIn();
  const [asked, key] = [createApiKeyInput.parse({ name: 'A', scopes: ['read'] }), randomUUID()];
  await person.mutate('apiKeys.create', asked, key);
  // The session's cookie is signed by the one before.
  provideEnv({ SECRET_KEY: randomBytes(32).toString('hex') });
  const again = createApiKey(person.accountId, asked, commandLine, key);
  await expect(again).rejects.toMatchObject({ apiCode: 'IDEMPOTENCY_KEY_REUSED' });
  expect(await countOf.keys(person)).toBe(1);
});

test('what was refused may be asked for again under the same key', async () => {
  const person = await signedIn();
  const key = randomUUID();
  const refused = await person.mutate('spaces.create', { name: '' }, key);
  expect(refused.error?.data.code).toBe('VALIDATION_ERROR');
  expect((await person.mutate('spaces.create', { name: 'A' }, key)).status).toBe(200);
  expect(await countOf.spaces(person)).toBe(1);
});

test('what is no key is refused, and reads are none of its business', async () => {
  const person = await signedIn();
  const answer = await person.mutate('spaces.create', { name: 'A' }, 'é');
  expect(answer.error?.data.code).toBe('VALIDATION_ERROR');
  expect(await countOf.spaces(person)).toBe(0);
});
