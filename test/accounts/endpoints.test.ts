import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import * as route from '@/app/api/auth/[...all]/route';
import { auth } from '@/src/accounts/auth/auth';
import { database } from '@/src/database/client';
import { env } from '@/src/env';
import { askAuth, password, signUp } from '../helpers/session';

/** What the pages use; everything else that the library offers, now or later, is closed. */
const open = [
  'POST /change-email',
  'POST /change-password',
  'POST /request-password-reset',
  'POST /reset-password',
  'POST /sign-in/email',
  'POST /sign-out',
  'POST /sign-up/email',
];

const libraryEndpoint = z.object({
  path: z.string(),
  options: z.object({ method: z.union([z.string(), z.array(z.string())]) }),
});

const offered = Object.values(auth().api).flatMap((endpoint: unknown) => {
  const { success, data } = libraryEndpoint.safeParse({ ...Object(endpoint) });
  return success ? [data.options.method].flat().map((method) => `${method} ${data.path}`) : [];
});

let person: Awaited<ReturnType<typeof signUp>>;

beforeAll(async () => {
  person = await signUp();
});

test('the library offers more than the pages use', () => {
  expect(offered).toEqual(expect.arrayContaining([...open, 'POST /verify-password']));
  expect(offered.length).toBeGreaterThan(20);
});

test.each([...new Set(offered)])('%s answers only where the pages use it', async (endpoint) => {
  const { cookie, email } = person;
  const [method = '', path = ''] = endpoint.split(' ');
  const body = JSON.stringify({ email, password, name: 'A', newPassword: password });
  const request = new Request(`http://localhost/api/auth${path}`, {
    method,
    headers: {
      cookie,
      'content-type': 'application/json',
      origin: 'http://localhost',
      host: 'localhost',
      'x-forwarded-for': '192.0.2.1',
    },
    ...(method !== 'GET' && { body }),
  });
  const handler = method === 'GET' ? route.GET : route.POST;
  const { status } = await handler(request);
  if (open.includes(endpoint)) expect(status).not.toBe(404);
  else expect(status).toBe(404);
});

test('whoever signs up chooses no plan, id or standing of the account', async () => {
  const plan = env().DEFAULT_PLAN === 'paid' ? 'free' : 'paid';
  const [id, email] = [randomUUID(), `${randomUUID()}@example.com`];
  const wishes = { id, plan, closedAt: new Date(), emailVerified: true, testimonialCount: 9 };
  const answer = await askAuth('/sign-up/email', { email, password, name: 'A', ...wishes });
  expect(answer.status).toBe(200);
  const made = await database().user.findUniqueOrThrow({ where: { email } });
  expect(made).toMatchObject({
    plan: env().DEFAULT_PLAN,
    closedAt: null,
    emailVerified: false,
    testimonialCount: 0,
  });
  expect(made.id).not.toBe(id);
});

test.each([
  '/sign-in/email/',
  '//sign-in/email',
  '/sign-in/../verify-password',
  '/sign-in%2Femail',
  '/constructor',
  '',
])('POST /api/auth%s is closed', async (path) => {
  const request = new Request(`http://localhost/api/auth${path}`, { method: 'POST' });
  expect((await route.POST(request)).status).toBe(404);
});
