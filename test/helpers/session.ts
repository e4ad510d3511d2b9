import { randomUUID } from 'node:crypto';
import { POST } from '@/app/api/auth/[...all]/route';
import * as trpcRoute from '@/app/api/trpc/[trpc]/route';
import { env } from '@/src/env';

const address = 'http://localhost';

/** What a browser on our own page sends. */
function ours() {
  const publicUrl = env().PUBLIC_URL;
  return { origin: publicUrl ? new URL(publicUrl).origin : address, host: 'localhost' };
}

/** Asks better-auth through its route, as a browser at an address of its own would. */
export function askAuth(path: string, body: unknown, headers: Record<string, string> = {}) {
  return POST(
    new Request(`${address}/api/auth${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: {
        'content-type': 'application/json',
        ...ours(),
        // Tries are counted by address.
        'x-forwarded-for': randomAddress(),
        ...headers,
      },
    }),
  );
}

export const password = 'correct horse battery staple';

/** Signs a new person up. Returns the session's cookie as a browser sends it back. */
export async function signUp() {
  const email = `${randomUUID()}@example.com`;
  const response = await askAuth('/sign-up/email', { email, password, name: 'A person' });
  if (response.status !== 200) throw new Error(`Sign-up: ${await response.text()}`);
  const { user }: { user: { id: string } } = await response.json();
  return { email, accountId: user.id, cookie: cookieOf(response) };
}

/** The cookies that an answer sets, as a browser sends them back. */
export function cookieOf(response: Response): string {
  return response.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ');
}

type TrpcAnswer = {
  status: number;
  text: string;
  /** What a query or mutation returned. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  data: any;
  error: { code: number; message: string; data: Record<string, unknown> } | undefined;
};

/** Calls a procedure through the dashboard's route. */
export async function callTrpc(
  type: 'query' | 'mutation',
  procedure: string,
  input?: unknown,
  headers: Record<string, string> = {},
): Promise<TrpcAnswer> {
  const query =
    type === 'query' && input !== undefined
      ? `?input=${encodeURIComponent(JSON.stringify(input))}`
      : '';
  const handler = type === 'query' ? trpcRoute.GET : trpcRoute.POST;
  const response = await handler(
    new Request(`${address}/api/trpc/${procedure}${query}`, {
      method: type === 'query' ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json', ...ours(), ...headers },
      ...(type === 'mutation' && { body: JSON.stringify(input ?? {}) }),
    }),
  );
  const text = await response.text();
  const { result, error } = JSON.parse(text);
  return { status: response.status, text, data: result?.data, error };
}

export function randomAddress(): string {
  const part = () => Math.floor(Math.random() * 254) + 1;
  return `10.${part()}.${part()}.${part()}`;
}
