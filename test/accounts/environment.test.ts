import { derivedKey } from '@/src/secrets/derived-key';

const strays = {
  BASE_URL: 'https://elsewhere.example/app',
  BETTER_AUTH_URL: 'https://elsewhere.example/app',
  NEXT_PUBLIC_BETTER_AUTH_URL: 'https://elsewhere.example/app',
  PUBLIC_BETTER_AUTH_URL: 'https://elsewhere.example/app',
  NUXT_PUBLIC_BETTER_AUTH_URL: 'https://elsewhere.example/app',
  NUXT_PUBLIC_AUTH_URL: 'https://elsewhere.example/app',
  BETTER_AUTH_SECRET: 'x'.repeat(40),
  BETTER_AUTH_SECRETS: `1:${'y'.repeat(40)}`,
  AUTH_SECRET: 'z'.repeat(40),
  BETTER_AUTH_TRUSTED_ORIGINS: 'https://evil.example',
  BETTER_AUTH_TELEMETRY: '1',
  BETTER_AUTH_TELEMETRY_ENDPOINT: 'http://127.0.0.1:9/telemetry',
};

const kept = { ...process.env };

afterAll(() => {
  process.env = kept;
});

/** Loaded anew, since the library looks at the environment when it is set up. */
async function load() {
  jest.resetModules();
  for (const scheme of ['http', 'https']) {
    Reflect.deleteProperty(globalThis, Symbol.for(`testimonials.auth-${scheme}`));
  }
  const { askAuth, password, signUp } = await import('../helpers/session');
  const { auth } = await import('@/src/accounts/auth/auth');
  return { askAuth, password, signUp, auth };
}

// Of several names for one thing the library takes the first.
const { BASE_URL, AUTH_SECRET } = strays;

test.each([
  ['every variable that it knows', strays],
  ['its names of last resort', { BASE_URL, AUTH_SECRET }],
])('the sign-in library takes nothing from the environment: %s', async (_, environment) => {
  process.env = { ...kept, ...environment };
  const { askAuth, password, signUp, auth } = await load();
  const { email, cookie } = await signUp();
  expect((await askAuth('/sign-in/email', { email, password })).status).toBe(200);
  const evil = { origin: 'https://evil.example', cookie };
  expect((await askAuth('/sign-out', {}, evil)).status).toBe(403);
  const context = await auth().$context;
  expect(context.secret).toBe(derivedKey('sessions').toString('base64'));
  expect(context.secretConfig).toBe(context.secret);
  expect(context.trustedOrigins).toEqual(['http://localhost']);
  expect(context.baseURL).toBe('http://localhost/api/auth');
  expect(process.env.BETTER_AUTH_TELEMETRY).toBeUndefined();
});
