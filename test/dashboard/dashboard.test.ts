import { GET, POST } from '@/app/api/trpc/[trpc]/route';
import { digestKey } from '@/src/api-keys/key';
import { database } from '@/src/database/client';
import { setListener, setWorker } from '@/src/outbox/due';
import { createAccount, createKey } from '../helpers/accounts';
import { client, send } from '../helpers/client';
import { settled } from '../helpers/next-server';
import { askAuth, callTrpc, cookieOf, password, signUp } from '../helpers/session';

async function signedIn() {
  const { cookie, ...person } = await signUp();
  const headers = { cookie };
  return {
    ...person,
    cookie,
    query: (name: string, input?: unknown) => callTrpc('query', name, input, headers),
    mutate: (name: string, input?: unknown, more?: Record<string, string>) =>
      callTrpc('mutation', name, input, { ...headers, ...more }),
  };
}

describe('the procedures at /api/trpc', () => {
  test('say after a change that something may be due, and not after a read', async () => {
    const { query, mutate } = await signedIn();
    const worker = jest.fn();
    setWorker(worker);
    await query('spaces.list', {});
    await settled();
    expect(worker).not.toHaveBeenCalled();
    await mutate('spaces.create', { name: 'A' });
    await settled();
    expect(worker).toHaveBeenCalled();
    setWorker(() => {});
  });

  test('tell after a change whose it was, for who waits for events, and not after a read', async () => {
    const { accountId, query, mutate } = await signedIn();
    const told: string[] = [];
    setListener((written) => told.push(written));
    await query('spaces.list', {});
    await mutate('spaces.create', { name: 'A' });
    await settled();
    expect(told).toEqual([accountId]);
    await mutate('testMode.set', { mode: 'test' });
    const inTest = { 'x-shown-mode': 'test' };
    await mutate('spaces.create', { name: 'A' }, inTest);
    await settled();
    const test = await database().user.findUniqueOrThrow({ where: { liveUserId: accountId } });
    expect(told.at(-1)).toBe(test.id);
  });

  test('are closed without a session', async () => {
    for (const [type, name, input] of [
      ['query', 'apiKeys.list', undefined],
      ['mutation', 'apiKeys.create', { name: 'A', scopes: ['read'] }],
      ['query', 'testimonials.list', {}],
      ['mutation', 'spaces.create', { name: 'A' }],
    ] as const) {
      const answer = await callTrpc(type, name, input);
      expect([name, answer.status, answer.error?.data.code]).toEqual([name, 401, 'UNAUTHORIZED']);
    }
  });

  test('are closed to an API key, however it is sent', async () => {
    const key = await createKey(await createAccount());
    const ways: Record<string, string>[] = [
      { authorization: `Bearer ${key}` },
      { authorization: key },
      { 'x-api-key': key },
      { cookie: `better-auth.session_token=${key}` },
    ];
    for (const headers of ways) {
      expect((await callTrpc('query', 'spaces.list', {}, headers)).status).toBe(401);
      expect((await callTrpc('query', 'apiKeys.list', undefined, headers)).status).toBe(401);
    }
  });

  test('are closed to a cookie that was forged or tampered with', async () => {
    const { cookie } = await signedIn();
    const [name, value = ''] = cookie.split('=', 2);
    const swapped = value.startsWith('A') ? `B${value.slice(1)}` : `A${value.slice(1)}`;
    for (const forged of [`${name}=${swapped}`, `${name}=${value.split('.')[0]}`, `${name}=x.y`]) {
      const answer = await callTrpc('query', 'spaces.list', {}, { cookie: forged });
      expect(answer.status).toBe(401);
    }
  });

  test('offer a session every operation of the REST API, without counting requests', async () => {
    const { mutate, query, accountId } = await signedIn();
    const space = (await mutate('spaces.create', { name: 'From the dashboard' })).data.data;
    expect(space.user_id).toBe(accountId);
    const created = await mutate('testimonials.create', {
      space_id: space.id,
      type: 'text',
      submitter_name: 'Ada Park',
      submitter_email: 'ada@example.com',
    });
    const { id } = created.data.data;
    const approved = await mutate('testimonials.update', { id, status: 'approved' });
    expect(approved.data.data.status).toBe('approved');
    const batch = { testimonial_ids: [id], status: 'rejected' };
    expect((await mutate('testimonials.updateBatch', batch)).data.updated).toBe(1);
    expect((await query('testimonials.get', { id })).data.data.status).toBe('rejected');
    expect((await query('testimonials.list', {})).data.pagination.total).toBe(1);
    expect((await mutate('testimonials.delete', { id })).status).toBe(200);
    expect((await mutate('spaces.delete', { id: space.id })).status).toBe(200);
    const events = await database().webhookEvent.findMany({
      where: { userId: accountId },
      orderBy: [{ createdAt: 'asc' }, { position: 'asc' }],
    });
    expect(events.map(({ type }) => type)).toEqual([
      'space.created',
      'testimonial.created',
      'testimonial.approved',
      'testimonial.rejected',
      'testimonial.deleted',
      'space.deleted',
    ]);
    const answer = await client(await createKey(accountId)).get('/spaces');
    expect(answer.headers.get('x-ratelimit-remaining')).toBe('999');
  });

  test('see the account of the session and no other', async () => {
    const [one, two] = [await signedIn(), await signedIn()];
    const { id } = (await one.mutate('spaces.create', { name: 'Mine' })).data.data;
    expect((await two.query('spaces.list', {})).data.data).toEqual([]);
    expect((await two.query('spaces.get', { id })).error?.data.code).toBe('SPACE_NOT_FOUND');
  });

  test('answer errors with our code and message, and nothing from within', async () => {
    const { query, mutate } = await signedIn();
    const missing = { id: '00000000-0000-0000-0000-000000000000' };
    const answers = [
      await query('testimonials.get', missing),
      await query('testimonials.get', { id: 'no-uuid' }),
      await mutate('spaces.create', { name: 'a\0b' }),
      await mutate('apiKeys.update', { ...missing, enabled: true }),
      await mutate('apiKeys.create', { name: 'A', scopes: ['admin'] }),
      await query('nowhere.at.all'),
    ];
    const codes = answers.map(({ status, error }) => [status, error?.data.code]);
    expect(codes.slice(0, 5)).toEqual([
      [404, 'TESTIMONIAL_NOT_FOUND'],
      [400, 'VALIDATION_ERROR'],
      [400, 'VALIDATION_ERROR'],
      [404, 'API_KEY_NOT_FOUND'],
      [400, 'VALIDATION_ERROR'],
    ]);
    for (const { text, error } of answers) {
      expect(text).not.toMatch(
        /[Ss]tack|[Pp]risma|[Zz]od|issues|node_modules|\.ts|invalid_|nowhere/,
      );
      expect(Object.keys(error?.data ?? {}).sort()).toEqual(['code', 'httpStatus']);
    }
  });

  test('answer what tRPC cannot read, or does not know, as the client’s error', async () => {
    const { cookie, query, mutate } = await signedIn();
    const ask = (path: string, init: RequestInit = {}) => {
      const headers = {
        cookie,
        'content-type': 'application/json',
        host: 'localhost',
        origin: 'http://localhost',
      };
      const request = new Request(`http://localhost/api/trpc/${path}`, { ...init, headers });
      return init.method === 'POST' ? POST(request) : GET(request);
    };
    const statuses = [
      (await query('nowhere.at.all')).status,
      (await query('spaces.create', { name: 'A' })).status,
      (await mutate('spaces.list', {})).status,
      (await ask('spaces.create', { method: 'POST', body: '{' })).status,
      (await ask('spaces.list?input=%7B')).status,
    ];
    expect(statuses).toEqual([404, 405, 405, 400, 400]);
  });
});

describe('the API keys of the dashboard', () => {
  test('are shown once, at creation; only a digest is stored', async () => {
    const { mutate, query, accountId } = await signedIn();
    const { data } = await mutate('apiKeys.create', { name: 'Site', scopes: ['read', 'read'] });
    expect(data.key).toMatch(/^sk_live_[0-9a-f]{64}$/);
    expect(data).toMatchObject({
      name: 'Site',
      scopes: ['read'],
      enabled: true,
      last_used_at: null,
    });
    const list = await query('apiKeys.list');
    const { key, ...shown } = data;
    expect(list.data).toEqual([shown]);
    expect(list.text).not.toContain(key.slice(8, -4));
    const stored = await database().apiKey.findFirstOrThrow({ where: { userId: accountId } });
    expect(stored.digest).toBe(digestKey(key));
    expect(JSON.stringify(stored)).not.toContain(key.slice(8, -4));
    expect((await client(key).get('/spaces')).status).toBe(200);
    expect((await client(key).post('/spaces', { name: 'A' })).status).toBe(403);
  });

  test('cannot be made without a name and known scopes', async () => {
    const { mutate, query } = await signedIn();
    for (const input of [
      { name: 'A', scopes: [] },
      { name: 'A', scopes: ['read', 'admin'] },
      { name: 'A' },
      { scopes: ['read'] },
      { name: '', scopes: ['read'] },
      { name: 'x'.repeat(101), scopes: ['read'] },
      { name: 'A', scopes: ['read'], expires_at: 'soon' },
    ]) {
      expect((await mutate('apiKeys.create', input)).error?.data.code).toBe('VALIDATION_ERROR');
    }
    expect((await query('apiKeys.list')).data).toEqual([]);
  });

  test('can be given an expiry date, switched off and on, renamed, and deleted', async () => {
    const { mutate, query } = await signedIn();
    const expiresAt = new Date(Date.now() + 60_000).toISOString();
    const created = await mutate('apiKeys.create', {
      name: 'Site',
      scopes: ['read'],
      expires_at: expiresAt,
    });
    const { id, key } = created.data;
    expect(created.data.expires_at).toBe(expiresAt);
    const statusNow = async () => (await client(key).get('/spaces')).status;
    expect(await statusNow()).toBe(200);
    await mutate('apiKeys.update', { id, enabled: false });
    expect(await statusNow()).toBe(403);
    const renamed = await mutate('apiKeys.update', { id, enabled: true, name: 'Shop' });
    expect(renamed.data).toMatchObject({ id, name: 'Shop', enabled: true });
    expect(renamed.text).not.toContain(key.slice(8, -4));
    expect(await statusNow()).toBe(200);
    expect((await mutate('apiKeys.delete', { id })).status).toBe(200);
    expect(await statusNow()).toBe(401);
    expect((await query('apiKeys.list')).data).toEqual([]);
    expect((await mutate('apiKeys.delete', { id })).error?.data.code).toBe('API_KEY_NOT_FOUND');
  });

  test('are part of the paid plan', async () => {
    const { mutate, query, accountId } = await signedIn();
    await database().user.update({ where: { id: accountId }, data: { plan: 'free' } });
    const refused = await mutate('apiKeys.create', { name: 'A', scopes: ['read'] });
    expect([refused.status, refused.error?.data.code]).toEqual([403, 'API_KEY_DISABLED']);
    expect(refused.error?.message).toMatch(/plan/);
    expect((await query('apiKeys.list')).data).toEqual([]);
    expect((await mutate('spaces.create', { name: 'Still mine' })).status).toBe(200);
  });
});

describe('signing in', () => {
  test('sets a cookie that scripts cannot read and other sites do not send', async () => {
    const { email } = await signedIn();
    const response = await askAuth('/sign-in/email', { email, password });
    expect(response.status).toBe(200);
    const cookie = response.headers.getSetCookie().find((line) => line.includes('session_token'));
    expect(cookie).toMatch(/; HttpOnly/i);
    expect(cookie).toMatch(/; SameSite=(Lax|Strict)/i);
    expect(cookie).toMatch(/; Path=\//i);
    const headers = { cookie: cookieOf(response) };
    expect((await callTrpc('query', 'spaces.list', {}, headers)).status).toBe(200);
  });

  test('with a wrong password fails, and sets no session', async () => {
    const { email } = await signedIn();
    const response = await askAuth('/sign-in/email', { email, password: 'wrong password' });
    expect(response.status).toBe(401);
    expect(response.headers.getSetCookie().join()).not.toContain('session_token=');
  });

  test('out ends the session at once', async () => {
    const { cookie } = await signedIn();
    expect((await askAuth('/sign-out', {}, { cookie })).status).toBe(200);
    expect((await callTrpc('query', 'spaces.list', {}, { cookie })).status).toBe(401);
  });

  test('up gives the default plan, and nobody chooses another', async () => {
    const { accountId } = await signedIn();
    const { plan } = await database().user.findUniqueOrThrow({ where: { id: accountId } });
    expect(plan).toBe('paid');
    const email = `${accountId}@free.example`;
    const asked = { email, password, name: 'A', plan: 'free' };
    await askAuth('/sign-up/email', asked);
    const row = await database().user.findUnique({ where: { email } });
    expect(row?.plan ?? 'paid').toBe('paid');
  });

  test('opens nothing of the REST API: a cookie is no key', async () => {
    const { cookie } = await signedIn();
    expect((await send('GET', '/spaces', { headers: { cookie } })).status).toBe(401);
  });
});
