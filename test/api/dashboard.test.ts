import { GET, POST } from '@/app/api/trpc/[trpc]/route';
import { auth } from '@/src/accounts/auth';
import { database } from '@/src/database/client';
import { createAccount, createKey } from '../helpers/accounts';

/** A signed-in person's cookie. */
async function cookieOf(accountId: string): Promise<string> {
  const { internalAdapter, authCookies, secret } = await auth().$context;
  const { token } = await internalAdapter.createSession(accountId);
  const { makeSignature } = await import('better-auth/crypto');
  const signature = await makeSignature(token, secret);
  return `${authCookies.sessionToken.name}=${encodeURIComponent(`${token}.${signature}`)}`;
}

const own = { host: 'localhost', origin: 'http://localhost' };

function create(headers: Record<string, string>) {
  return POST(
    new Request('http://localhost/api/trpc/apiKeys.create', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ name: 'Website', scopes: ['read'] }),
    }),
  );
}

const list = (headers: Record<string, string>) =>
  GET(new Request('http://localhost/api/trpc/apiKeys.list', { headers }));

describe('the procedures of the dashboard', () => {
  test('answer a signed-in person', async () => {
    const accountId = await createAccount();
    const cookie = await cookieOf(accountId);
    expect((await create({ ...own, cookie })).status).toBe(200);
    const answer = await list({ cookie });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await answer.json()).toMatchObject({ result: { data: [{ name: 'Website' }] } });
  });

  test('are closed to whoever is signed out, and to API keys', async () => {
    const key = await createKey(await createAccount());
    const nobody: Record<string, string>[] = [
      {},
      { authorization: `Bearer ${key}` },
      { cookie: 'x=y' },
    ];
    for (const headers of nobody) {
      expect((await list(headers)).status).toBe(401);
      expect((await create({ ...own, ...headers })).status).toBe(401);
    }
  });

  test.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['an origin of a similar name', { origin: 'http://localhost.evil.example' }],
    ['no origin that can be named', { origin: 'null' }],
    ['a neighbouring site', { origin: 'http://localhost', 'sec-fetch-site': 'same-site' }],
  ])('refuse %s, with the cookie as well', async (_, headers) => {
    const accountId = await createAccount();
    const cookie = await cookieOf(accountId);
    const answer = await create({ host: 'localhost', ...headers, cookie });
    expect(answer.status).toBe(403);
    expect(await database().apiKey.count({ where: { userId: accountId } })).toBe(0);
  });
});
