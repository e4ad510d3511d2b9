import { database } from '@/src/database/client';
import { appRouter } from '@/src/router';
import { createAccount, createKey } from '../helpers/accounts';
import { callerOf } from '../helpers/caller';
import { client, send } from '../helpers/client';
import { signUp } from '../helpers/session';
import { callByName, cases, missing, newEndpoint } from '../rest/isolation-cases';
import { change, entriesOf, told } from './audit';

const url = 'https://receiver.example/hooks';
const events = ['testimonial.created'];

describe('of a key is told', () => {
  test('that it was made, with what it may do and until when', async () => {
    const accountId = await createAccount();
    const expires_at = new Date('2031-03-30T00:59:59.123Z');
    const { apiKeys } = callerOf(accountId);
    const { id, hint } = await apiKeys.create({ name: 'Website', scopes: ['read'], expires_at });
    const [entry] = await entriesOf(accountId);
    expect(entry).toMatchObject({
      action: 'created',
      subject: { type: 'api_key', id, name: 'Website', hint },
      changes: {
        scopes: { before: null, after: ['read'] },
        expires_at: { before: null, after: '2031-03-30T00:59:59.123000+00:00' },
      },
    });
  });

  test('what each changed field was before and is now, and no other', async () => {
    const accountId = await createAccount();
    const { apiKeys } = callerOf(accountId);
    const { id } = await apiKeys.create({ name: 'Website', scopes: ['read'] });
    await apiKeys.update({ id, name: 'Shop', scopes: ['read', 'write'] });
    await apiKeys.update({ id, expires_at: new Date('2031-01-01T00:00:00Z') });
    const [second, first] = await entriesOf(accountId);
    expect(first && told(first)).toEqual({
      action: 'updated',
      name: 'Shop',
      changes: {
        name: { before: 'Website', after: 'Shop' },
        scopes: { before: ['read'], after: ['read', 'write'] },
      },
    });
    expect(second?.changes).toEqual({
      expires_at: { before: null, after: '2031-01-01T00:00:00.000000+00:00' },
    });
  });

  test('that it was switched off and on, also along with another change', async () => {
    const accountId = await createAccount();
    const { apiKeys } = callerOf(accountId);
    const { id } = await apiKeys.create({ name: 'Website', scopes: ['read'] });
    await apiKeys.update({ id, enabled: false });
    await apiKeys.update({ id, enabled: true, name: 'Shop' });
    const [on, off] = (await entriesOf(accountId)).map(told);
    expect(off).toEqual({ action: 'switched_off', name: 'Website', changes: {} });
    expect(on).toEqual({
      action: 'switched_on',
      name: 'Shop',
      changes: { name: { before: 'Website', after: 'Shop' } },
    });
  });

  test('that it was rotated, when it ends and by what it is replaced, and that the other was made', async () => {
    const accountId = await createAccount();
    const { apiKeys } = callerOf(accountId);
    const old = await apiKeys.create({ name: 'Website', scopes: ['read'] });
    const made = await apiKeys.rotate({ id: old.id, overlap_hours: 24 });
    const entries = await entriesOf(accountId);
    const rotated = entries.find(({ action }) => action === 'rotated');
    expect(rotated).toMatchObject({
      subject: { id: old.id },
      changes: {
        expires_at: { before: null, after: expect.any(String) },
        replaced_by: { before: null, after: made.hint },
      },
    });
    const [, again] = entries.filter(({ action }) => action === 'created').reverse();
    expect(again?.subject).toMatchObject({ id: made.id, name: 'Website', hint: made.hint });
  });

  test('that it was deleted, and all of it stays with the name it had', async () => {
    const accountId = await createAccount();
    const { apiKeys, audit } = callerOf(accountId);
    const { id, hint } = await apiKeys.create({ name: 'Website', scopes: ['read'] });
    await apiKeys.create({ name: 'Another', scopes: ['read'] });
    await apiKeys.delete({ id });
    const { data } = await audit.list({ subject_id: id });
    expect(data.map(({ action }) => action)).toEqual(['deleted', 'created']);
    for (const { subject } of data) expect(subject).toMatchObject({ name: 'Website', hint });
  });
});

describe('of an endpoint is told', () => {
  test('that it was made, changed, paused, resumed, given a new secret and deleted', async () => {
    const accountId = await createAccount();
    const { webhooks, audit } = callerOf(accountId);
    const { endpoints } = webhooks;
    const { id } = await endpoints.create({ url, event_types: ['testimonial.created'] });
    await endpoints.update({
      id,
      url: `${url}/new`,
      event_types: ['testimonial.created', 'space.created'],
      description: 'Rebuilds the site',
    });
    await endpoints.update({ id, enabled: false });
    await endpoints.update({ id, enabled: true });
    await endpoints.rotateSecret({ id });
    await endpoints.delete({ id });
    const { data } = await audit.list({ subject_id: id });
    const name = `${url}/new`;
    expect(data.reverse().map(told)).toEqual([
      {
        action: 'created',
        name: url,
        changes: { event_types: { before: null, after: ['testimonial.created'] } },
      },
      {
        action: 'updated',
        name,
        changes: {
          url: { before: url, after: name },
          event_types: {
            before: ['testimonial.created'],
            after: ['testimonial.created', 'space.created'],
          },
          description: { before: null, after: 'Rebuilds the site' },
        },
      },
      { action: 'paused', name, changes: {} },
      { action: 'resumed', name, changes: {} },
      { action: 'rotated', name, changes: {} },
      { action: 'deleted', name, changes: {} },
    ]);
    for (const { subject } of data) expect(subject.type).toBe('webhook_endpoint');
  });

  test('that it was made, and paused, where it was made paused', async () => {
    const { webhooks, audit } = callerOf(await createAccount());
    const { id } = await webhooks.endpoints.create({
      url,
      event_types: ['testimonial.created'],
      enabled: false,
    });
    const { data } = await audit.list({ subject_id: id });
    expect(data.map(({ action }) => action).sort()).toEqual(['created', 'paused']);
  });
});

describe('nothing is told', () => {
  test('of what was refused', async () => {
    const accountId = await createAccount();
    const stranger = callerOf(await createAccount());
    const { apiKeys, webhooks } = callerOf(accountId);
    const { endpoints } = webhooks;
    const input = { url, event_types: ['testimonial.created' as const] };
    const key = await apiKeys.create({ name: 'Website', scopes: ['read'] });
    const endpoint = await endpoints.create(input);
    const before = await entriesOf(accountId);
    const { id } = endpoint;
    for (const refused of [
      () => stranger.apiKeys.update({ id: key.id, name: 'Mine' }),
      () => stranger.apiKeys.rotate({ id: key.id, overlap_hours: 0 }),
      () => stranger.apiKeys.delete({ id: key.id }),
      () => stranger.webhooks.endpoints.update({ id, enabled: false }),
      () => stranger.webhooks.endpoints.rotateSecret({ id }),
      () => stranger.webhooks.endpoints.delete({ id }),
      () => apiKeys.update({ id: key.id, scopes: [] }),
      () => endpoints.update({ id, url: 'http://10.0.0.1/' }),
      () => endpoints.create({ ...input, url: 'ftp://receiver.example/' }),
    ]) {
      await expect(refused()).rejects.toThrow();
    }
    // A key that may only read.
    const answer = await send('POST', '/webhook-endpoints', { key: key.key, json: input });
    expect(answer.status).toBe(403);
    await database().user.update({ where: { id: accountId }, data: { plan: 'free' } });
    await expect(apiKeys.create({ name: 'Free', scopes: ['read'] })).rejects.toThrow();
    await expect(apiKeys.rotate({ id: key.id, overlap_hours: 0 })).rejects.toThrow();
    expect(await entriesOf(accountId)).toEqual(before);
  });

  test('of an endpoint that is one too many', async () => {
    const accountId = await createAccount();
    const { endpoints } = callerOf(accountId).webhooks;
    const input = { url, event_types: ['testimonial.created' as const] };
    for (let made = 0; made < 10; made += 1) await endpoints.create(input);
    await expect(endpoints.create(input)).rejects.toThrow();
    expect(await entriesOf(accountId)).toHaveLength(10);
  });

  test('of a change that leaves everything as it was', async () => {
    const accountId = await createAccount();
    const { apiKeys, webhooks } = callerOf(accountId);
    const key = await apiKeys.create({ name: 'Website', scopes: ['read'] });
    const event_types = ['testimonial.created' as const];
    const { id } = await webhooks.endpoints.create({ url, event_types });
    await apiKeys.update({ id: key.id, name: ' Website ', scopes: ['read'], enabled: true });
    await webhooks.endpoints.update({ id, url, event_types, enabled: true, description: '' });
    expect(await entriesOf(accountId)).toHaveLength(2);
  });

  test('that is a secret', async () => {
    const { accountId, cookie } = await signUp();
    const key = await change('apiKeys.create', { name: 'A', scopes: ['read'] }, { cookie });
    const rotated = await change('apiKeys.rotate', { id: key.id, overlap_hours: 0 }, { cookie });
    const made = await change(
      'webhooks.endpoints.create',
      { url, event_types: events },
      { cookie },
    );
    const { id } = made;
    const renewed = await change('webhooks.endpoints.rotateSecret', { id }, { cookie });
    const rows = await database().$queryRaw<{ text: string }[]>`
      SELECT a::text AS text FROM audit_entries a WHERE user_id = ${accountId}::uuid`;
    const text = JSON.stringify(rows);
    expect(rows).toHaveLength(5);
    for (const { secret } of [made, renewed]) {
      expect(text).not.toContain(secret.replace('whsec_', ''));
    }
    for (const { key: whole } of [key, rotated]) expect(text).not.toContain(whole.slice(8, 60));
    expect(text).not.toMatch(/[0-9a-f]{64}/);
  });
});

test('a change and what is told of it are one: where it cannot be told, nothing is changed', async () => {
  const accountId = await createAccount();
  const { apiKeys } = callerOf(accountId);
  const { id, hint } = await apiKeys.create({ name: 'Website', scopes: ['read'] });
  await database().$executeRaw`
    UPDATE api_keys SET hint = hint || '-of-this-test' WHERE id = ${id}::uuid`;
  await database().$executeRawUnsafe(
    `ALTER TABLE audit_entries ADD CONSTRAINT refused CHECK (subject_hint NOT LIKE '%-of-this-test')`,
  );
  try {
    await expect(apiKeys.update({ id, name: 'Shop' })).rejects.toThrow();
    await expect(apiKeys.delete({ id })).rejects.toThrow();
  } finally {
    await database().$executeRawUnsafe('ALTER TABLE audit_entries DROP CONSTRAINT refused');
  }
  expect(await apiKeys.get({ id })).toMatchObject({ name: 'Website' });
  expect(hint).toMatch(/^sk_live_/);
});

test('under an Idempotency-Key a change that is sent twice is told once', async () => {
  const accountId = await createAccount();
  const key = await createKey(accountId);
  const request = {
    key,
    json: { url, event_types: events },
    headers: { 'idempotency-key': 'once' },
  };
  const answers = [
    await send('POST', '/webhook-endpoints', request),
    await send('POST', '/webhook-endpoints', request),
  ];
  expect(answers.map(({ status }) => status)).toEqual([201, 201]);
  expect((await client(key).get('/webhook-endpoints')).body.data).toHaveLength(1);
  const made = (await entriesOf(accountId)).filter(
    ({ subject }) => subject.type === 'webhook_endpoint',
  );
  expect(made).toHaveLength(1);
});

describe('every procedure that changes a key or an endpoint', () => {
  const changing = Object.entries<unknown>(appRouter._def.procedures)
    .filter(([, procedure]) => Reflect.get(Object(procedure), '_def').type === 'mutation')
    .map(([name]) => name)
    .filter((name) => /^(apiKeys|webhooks\.endpoints)\./.test(name))
    .filter((name) => name !== 'webhooks.endpoints.sendTest');

  test('is among those that are tried', () => expect(changing.length).toBeGreaterThan(7));

  test.each(changing)('%s leaves an entry', async (name) => {
    const accountId = await createAccount();
    const { apiKeys, webhooks } = callerOf(accountId);
    const { id: apiKey } = await apiKeys.create({ name: 'Website', scopes: ['read'] });
    const { id: endpoint } = await webhooks.endpoints.create(newEndpoint);
    const before = await entriesOf(accountId);
    const input = cases[name]?.input({ ...missing, apiKey, endpoint });
    await callByName(callerOf(accountId), name, input);
    expect((await entriesOf(accountId)).length).toBeGreaterThan(before.length);
  });
});
