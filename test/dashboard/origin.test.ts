import { POST } from '@/app/api/trpc/[trpc]/route';
import { auth } from '@/src/accounts/auth/auth';
import { database } from '@/src/database/client';
import { createAccount } from '../helpers/accounts';

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

describe('the procedures of the dashboard', () => {
  test('answer a page of our own, and no cache keeps it', async () => {
    const accountId = await createAccount();
    const cookie = await cookieOf(accountId);
    const answer = await create({ ...own, cookie });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
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
