import { database } from '@/src/database/client';
import { provideEnv } from '@/src/env';
import { createAccount } from '@/test/helpers/accounts';
import { newWebhooks, somewhere, unknownId, webhooksOf } from './dashboard';

const created = 'testimonial.created';
const tooLong = `https://receiver.example/${'a'.repeat(2048)}`;

test('creating an endpoint shows its secret, and no later answer does', async () => {
  const { endpoints } = await newWebhooks();
  const { secret, ...endpoint } = await endpoints.create({
    url: somewhere,
    event_types: [created],
  });
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(endpoint).toMatchObject({
    url: somewhere,
    description: null,
    event_types: [created],
    status: 'enabled',
    disabled_reason: null,
    failing_since: null,
    last_day: { pending: 0, succeeded: 0, failed: 0, success_share: null },
    last_delivery: null,
  });
  expect(await endpoints.get({ id: endpoint.id })).toEqual(endpoint);
  expect(await endpoints.list()).toEqual([endpoint]);
});

test('the secret is stored encrypted', async () => {
  const { endpoints } = await newWebhooks();
  const { id, secret } = await endpoints.create({ url: somewhere, event_types: [created] });
  const row = await database().webhookEndpoint.findUniqueOrThrow({ where: { id } });
  const stored = Buffer.from(row.encryptedSecret);
  const raw = Buffer.from(secret.slice('whsec_'.length), 'base64');
  expect(raw).toHaveLength(32);
  expect(stored.includes(raw)).toBe(false);
  expect(stored.includes(Buffer.from(secret))).toBe(false);
});

test('URL, events, description and pause can be changed, each alone', async () => {
  const { endpoints } = await newWebhooks();
  const { id } = await endpoints.create({ url: somewhere, event_types: [created] });
  await endpoints.update({ id, url: `${somewhere}/2` });
  await endpoints.update({ id, event_types: ['testimonial.deleted', 'testimonial.deleted'] });
  await endpoints.update({ id, description: 'CRM' });
  expect(await endpoints.update({ id, enabled: false })).toMatchObject({
    url: `${somewhere}/2`,
    event_types: ['testimonial.deleted'],
    description: 'CRM',
    status: 'paused',
  });
  expect(await endpoints.update({ id, enabled: true, description: null })).toMatchObject({
    status: 'enabled',
    description: null,
  });
  await expect(endpoints.update({ id })).rejects.toThrow();
});

test('a description is kept without the white space around it, and of nothing else is none', async () => {
  const { endpoints } = await newWebhooks();
  const create = (text: string) =>
    endpoints.create({ url: somewhere, event_types: [created], description: text });
  const { id, description } = await create(' CRM\t');
  expect(description).toBe('CRM');
  expect(await endpoints.update({ id, description: '  ' })).toMatchObject({ description: null });
  expect(await create('')).toMatchObject({ description: null });
});

test('switching an endpoint on again forgets why it was off, and its failures', async () => {
  const { endpoints } = await newWebhooks();
  const { id } = await endpoints.create({ url: somewhere, event_types: [created] });
  await database().webhookEndpoint.update({
    where: { id },
    data: {
      enabled: false,
      disabledReason: 'failing',
      failingSince: new Date('2026-01-01T00:00:00Z'),
      failureCount: 20,
    },
  });
  expect(await endpoints.get({ id })).toMatchObject({
    status: 'switched_off',
    disabled_reason: 'failing',
    failing_since: '2026-01-01T00:00:00.000000+00:00',
    failure_count: 20,
  });
  expect(await endpoints.update({ id, enabled: true })).toMatchObject({
    status: 'enabled',
    disabled_reason: null,
    failing_since: null,
    failure_count: 0,
  });
});

test('sent elsewhere, an endpoint starts without its failures, and with any other change it keeps them', async () => {
  const { endpoints } = await newWebhooks();
  const { id } = await endpoints.create({ url: somewhere, event_types: [created] });
  const failingSince = new Date('2026-01-01T00:00:00Z');
  await database().webhookEndpoint.update({
    where: { id },
    data: { failingSince, failureCount: 7 },
  });
  // Whoever keeps endpoints as a file says them sends all of it each time.
  for (const change of [{ description: 'CRM' }, { url: somewhere }, { enabled: true }]) {
    expect(await endpoints.update({ id, ...change })).toMatchObject({
      failing_since: '2026-01-01T00:00:00.000000+00:00',
      failure_count: 7,
    });
  }
  expect(await endpoints.update({ id, url: `${somewhere}/2` })).toMatchObject({
    failing_since: null,
    failure_count: 0,
  });
});

test('rotating gives another secret, and keeps the old one for 24 hours, as is told until then', async () => {
  const { endpoints } = await newWebhooks();
  const before = await endpoints.create({ url: somewhere, event_types: [created] });
  const after = await endpoints.rotateSecret({ id: before.id });
  expect(after.secret).not.toBe(before.secret);
  const inHours = (Date.parse(after.previous_secret_expires_at ?? '') - Date.now()) / 3_600_000;
  expect(inHours).toBeGreaterThan(23.9);
  expect(inHours).toBeLessThanOrEqual(24.1);
  const { id } = before;
  const data = { previousSecretExpiresAt: new Date(Date.now() - 1000) };
  await database().webhookEndpoint.update({ where: { id }, data });
  expect(await endpoints.get({ id })).toMatchObject({ previous_secret_expires_at: null });
});

test('a deleted endpoint is gone', async () => {
  const { endpoints } = await newWebhooks();
  const { id } = await endpoints.create({ url: somewhere, event_types: [created] });
  await endpoints.delete({ id });
  expect(await endpoints.list()).toEqual([]);
  await expect(endpoints.delete({ id })).rejects.toMatchObject({
    apiCode: 'WEBHOOK_ENDPOINT_NOT_FOUND',
  });
});

test("another account's endpoint answers as one that does not exist", async () => {
  const { endpoints: owner } = await newWebhooks();
  const { endpoints, deliveries } = await newWebhooks();
  const { id: foreign } = await owner.create({ url: somewhere, event_types: [created] });
  for (const id of [foreign, unknownId]) {
    const refused = { apiCode: 'WEBHOOK_ENDPOINT_NOT_FOUND' };
    await expect(endpoints.get({ id })).rejects.toMatchObject(refused);
    await expect(endpoints.update({ id, enabled: false })).rejects.toMatchObject(refused);
    await expect(endpoints.rotateSecret({ id })).rejects.toMatchObject(refused);
    await expect(endpoints.delete({ id })).rejects.toMatchObject(refused);
    await expect(endpoints.sendTest({ id })).rejects.toMatchObject(refused);
    await expect(deliveries.list({ endpoint_id: id })).rejects.toMatchObject(refused);
    const since = '2026-01-01T00:00:00Z';
    await expect(deliveries.replayFailed({ endpoint_id: id, since })).rejects.toMatchObject(
      refused,
    );
  }
  expect(await owner.get({ id: foreign })).toMatchObject({ status: 'enabled' });
});

test.each(
  [
    ['nonsense', 'not a valid'],
    ['http://receiver.example', 'https'],
    ['ftp://receiver.example', 'https'],
    ['https://user:secret@receiver.example', 'password'],
    ['https://receiver.example:22', 'port'],
    ['https://receiver.example:0', 'port'],
    ['https://127.0.0.1', 'public internet'],
    ['https://2130706433', 'public internet'],
    ['https://0177.0.0.1', 'public internet'],
    ['https://0x7f.1', 'public internet'],
    ['https://[::ffff:127.0.0.1]', 'public internet'],
    ['https://169.254.169.254/latest/meta-data', 'public internet'],
    ['https://168.63.129.16', 'public internet'],
    ['https://0.0.0.0', 'public internet'],
    ['https://localhost', 'public internet'],
    ['https://internal.localhost.', 'public internet'],
    [`\n${somewhere}`, 'white space'],
    [` ${somewhere}`, 'white space'],
    [`${somewhere} `, 'white space'],
    ['https://receiver.\texample/in', 'white space'],
    [`\u0001${somewhere}`, 'white space'],
    [tooLong, 'long'],
  ].map(([url = '', reason = '']) => ({ url, reason, name: JSON.stringify(url.slice(0, 60)) })),
)('the URL $name is refused, with the reason', async ({ url, reason }) => {
  const { endpoints } = await newWebhooks();
  const refused = { apiCode: 'INVALID_WEBHOOK_URL', message: expect.stringContaining(reason) };
  await expect(endpoints.create({ url, event_types: [created] })).rejects.toMatchObject(refused);
  const { id } = await endpoints.create({ url: somewhere, event_types: [created] });
  await expect(endpoints.update({ id, url })).rejects.toMatchObject(refused);
  expect(await endpoints.get({ id })).toMatchObject({ url: somewhere });
});

test('a URL may have 2,048 characters, however many of them are emoji', async () => {
  const { endpoints } = await newWebhooks();
  const start = `${somewhere}/`;
  const url = start + '😀'.repeat(2048 - start.length);
  expect(await endpoints.create({ url, event_types: [created] })).toMatchObject({ url });
});

test('ALLOW_PRIVATE_NETWORK lets plain http and private addresses pass', async () => {
  const { endpoints } = await newWebhooks();
  provideEnv({ ALLOW_PRIVATE_NETWORK: 'true' });
  try {
    const url = 'http://127.0.0.1:8080/in';
    expect(await endpoints.create({ url, event_types: [created] })).toMatchObject({ url });
  } finally {
    provideEnv({ ALLOW_PRIVATE_NETWORK: '' });
  }
});

test('an account has 10 endpoints at most, also when they are made at once', async () => {
  const accountId = await createAccount();
  const { endpoints } = webhooksOf(accountId);
  const all = await Promise.allSettled(
    Array.from({ length: 12 }, () => endpoints.create({ url: somewhere, event_types: [created] })),
  );
  const refused = all.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  expect(refused).toHaveLength(2);
  expect(refused[0]).toMatchObject({
    apiCode: 'LIMIT_EXCEEDED',
    message: expect.stringContaining('10 webhook endpoints'),
  });
  expect(await endpoints.list()).toHaveLength(10);
});
