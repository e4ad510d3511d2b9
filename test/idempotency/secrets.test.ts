import { randomBytes, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { database } from '@/src/database/client';
import { Prisma } from '@/src/database/generated/client';
import { provideEnv } from '@/src/env';
import { answerOnce } from '@/src/idempotency/answer-once';
import { routes } from '@/src/operations';
import { createTenant, type Tenant } from '../helpers/accounts';
import { expectError } from '../helpers/expectations';
import { document, resolve, sendDescribed } from '../rest/conformance';
import { withKey } from './keyed';

const { SECRET_KEY = '' } = process.env;

afterEach(() => provideEnv({ SECRET_KEY, ALLOW_PRIVATE_NETWORK: '' }));

const path = '/webhook-endpoints';

const post = (tenant: Tenant, at: string, key: string, json: unknown) =>
  sendDescribed('POST', at, withKey(tenant, key, { json }));

const subscribe = (tenant: Tenant, key: string, url = 'https://receiver.example/in') =>
  post(tenant, path, key, { url, event_types: ['testimonial.created'] });

/** All that is kept of the account's answers, as the database holds it. */
async function kept({ accountId }: Tenant): Promise<string> {
  const rows = await database().$queryRaw<{ text: string }[]>`
    SELECT k::text FROM idempotency_keys k WHERE user_id = ${accountId}::uuid`;
  return JSON.stringify(rows);
}

async function endpointCount({ accountId }: Tenant): Promise<number> {
  return database().webhookEndpoint.count({ where: { userId: accountId } });
}

test('an answer with a secret is the same again, and does not lie in the database', async () => {
  const tenant = await createTenant();
  const [creating, rotating] = [randomUUID(), randomUUID()];
  const first = await subscribe(tenant, creating);
  const { id, secret } = first.body.data;
  const rotate = () => post(tenant, `${path}/${id}/rotate-secret`, rotating, {});
  const rotated = await rotate();
  for (const [answer, again] of [
    [first, await subscribe(tenant, creating)],
    [rotated, await rotate()],
  ] as const) {
    expect([again.status, again.text]).toEqual([answer.status, answer.text]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  }
  expect(await endpointCount(tenant)).toBe(1);
  const stored = await kept(tenant);
  for (const told of [secret, rotated.body.data.secret]) {
    const bytes = Buffer.from(told.slice('whsec_'.length), 'base64');
    for (const form of [told, told.slice(6), Buffer.from(told).toString('base64').slice(4, 40)]) {
      expect(stored).not.toContain(form);
    }
    expect(stored).not.toContain(bytes.toString('hex'));
  }
  expect(stored).not.toContain('whsec');
});

test('an answer without a secret is kept as it is', async () => {
  const tenant = await createTenant();
  await post(tenant, '/spaces', randomUUID(), { name: 'In clear' });
  expect(await kept(tenant)).toContain('In clear');
});

test('with another SECRET_KEY the answer is lost, is said to be, and nothing is done again', async () => {
  const tenant = await createTenant();
  const [key, space] = [randomUUID(), randomUUID()];
  const first = await subscribe(tenant, key);
  const named = await post(tenant, '/spaces', space, { name: 'A' });
  provideEnv({ SECRET_KEY: randomBytes(32).toString('hex') });
  const lost = await subscribe(tenant, key);
  expectError(lost, 422, 'IDEMPOTENCY_KEY_REUSED');
  expect(lost.body.error.message).toContain('can no longer be read');
  expect(await endpointCount(tenant)).toBe(1);
  expect((await post(tenant, '/spaces', space, { name: 'A' })).text).toBe(named.text);
  provideEnv({ SECRET_KEY });
  expect((await subscribe(tenant, key)).text).toBe(first.text);
});

test('a kept answer opens under its own key alone', async () => {
  const tenant = await createTenant();
  const [one, other] = [randomUUID(), randomUUID()];
  await subscribe(tenant, one);
  await subscribe(tenant, other);
  await database().$executeRaw`
    UPDATE idempotency_keys SET body = (
      SELECT max(body) FROM idempotency_keys WHERE user_id = ${tenant.accountId}::uuid
    ) WHERE user_id = ${tenant.accountId}::uuid`;
  const statuses = [await subscribe(tenant, one), await subscribe(tenant, other)].map(
    ({ status }) => status,
  );
  expect(statuses.sort()).toEqual([201, 422]);
});

test('the same request is answered again although it would be refused by now', async () => {
  const tenant = await createTenant();
  provideEnv({ ALLOW_PRIVATE_NETWORK: 'true' });
  const [creating, testing] = [randomUUID(), randomUUID()];
  const first = await subscribe(tenant, creating, 'http://127.0.0.1:8080/in');
  const test = () => post(tenant, `${path}/${first.body.data.id}/test`, testing, {});
  const sent = await test();
  provideEnv({ ALLOW_PRIVATE_NETWORK: '' });
  expect((await subscribe(tenant, creating, 'http://127.0.0.1:8080/in')).text).toBe(first.text);
  expectError(
    await subscribe(tenant, randomUUID(), 'http://127.0.0.1:8080/in'),
    400,
    'VALIDATION_ERROR',
  );
  await tenant.api.delete(`${path}/${first.body.data.id}`);
  expect((await test()).text).toBe(sent.text);
});

/** The names of all fields of an answer. */
function fieldsOf(node: unknown): string[] {
  const schema = resolve(z.custom<object>().optional().parse(node));
  if (!schema) return [];
  const { properties = {}, items } = z
    .looseObject({
      properties: z.record(z.string(), z.unknown()).optional(),
      items: z.unknown().optional(),
    })
    .parse(schema);
  return [
    ...Object.keys(properties),
    ...Object.values(properties).flatMap(fieldsOf),
    ...fieldsOf(items),
  ];
}

test('every operation whose answer is kept and has a secret says so', () => {
  const isNamed = (operationId: string) => {
    const name = `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}ResponseBody`;
    return fieldsOf(document.components?.schemas?.[name]).some((field) =>
      /^(secret|key|token|password)$/.test(field),
    );
  };
  const operations = routes
    .flatMap((route) => [...route.operations.values()])
    .filter(({ takesKey }) => takesKey);
  const telling = operations.filter(({ operationId }) => isNamed(operationId));
  expect(telling.map(({ operationId }) => operationId).sort()).toEqual([
    'createWebhookEndpoint',
    'rotateWebhookEndpointSecret',
  ]);
  expect(operations.filter(({ isSecret }) => isSecret)).toEqual(telling);
});

test('a large answer with a secret is sealed piece by piece', async () => {
  const { accountId, ...tenant } = await createTenant();
  const body = ['{"data":"whsec_', 'and the rest of it"}'].map((text) =>
    new TextEncoder().encode(text),
  );
  const facts = { method: 'POST', path, body: {} };
  const request = { accountId, key: randomUUID(), facts, success: 201, isSecret: true };
  const ask = () =>
    answerOnce(request, async ({ write }) => {
      await write(Prisma.sql`SELECT 1`);
      return body;
    });
  expect(await ask()).toEqual({ status: 201, body, isReplayed: false });
  expect(await ask()).toEqual({ status: 201, body, isReplayed: true });
  const stored = await kept({ accountId, ...tenant });
  for (const part of ['whsec', 'the rest']) expect(stored).not.toContain(part);
});

test('an answer with a secret is sealed, also where one statement could tell it', async () => {
  const { accountId, ...tenant } = await createTenant();
  const facts = { method: 'POST', path, body: {} };
  const request = { accountId, key: randomUUID(), facts, success: 201, isSecret: true };
  const body = '{"data":"whsec_told"}';
  const ask = () =>
    answerOnce(request, async ({ writeOnce }) => {
      await writeOnce({
        expressions: () => Prisma.sql`told AS (SELECT ${body}::text AS answer)`,
        columns: Prisma.sql`answer`,
        from: 'told',
        answer: { text: 'answer', from: 'told' },
      });
      return body;
    });
  expect(await ask()).toEqual({ status: 201, body, isReplayed: false });
  expect(await ask()).toEqual({ status: 201, body, isReplayed: true });
  expect(await kept({ accountId, ...tenant })).not.toContain('whsec');
});
