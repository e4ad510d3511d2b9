import { betterAuth } from 'better-auth';
import { prismaAdapter } from 'better-auth/adapters/prisma';
import { APIError, createAuthMiddleware } from 'better-auth/api';
import { isBehindHttps, isOwnOrigin } from '../api/origin';
import { database } from '../database/client';
import { env } from '../env';
import { log } from '../log';
import { derivedKey } from '../secrets/derived-key';
import { singleton } from '../singleton';
import { accountLimit, countSignIn, forgetSignIns } from './throttle';

/**
 * Sign-in for people: accounts, passwords and sessions, kept by better-auth in our tables. The
 * headers say whether the browser is behind https, where cookies are `Secure`.
 */
export function auth(headers: Headers = new Headers()) {
  const isSecure = isBehindHttps(headers);
  return singleton(isSecure ? 'auth-https' : 'auth-http', () => createAuth(isSecure));
}

const day = 24 * 60 * 60;

function createAuth(isSecure: boolean) {
  return betterAuth({
    appName: 'Testimonials',
    basePath: '/api/auth',
    baseURL: env().PUBLIC_URL,
    secret: derivedKey('sessions').toString('base64'),
    database: prismaAdapter(database(), { provider: 'postgresql' }),
    advanced: {
      database: { generateId: 'uuid' },
      useSecureCookies: isSecure,
      // Otherwise left out where NODE_ENV is test.
      disableOriginCheck: false,
      disableCSRFCheck: false,
      ipAddress: { trustedProxies: env().TRUSTED_PROXIES },
    },
    trustedOrigins: ownOrigin,
    user: {
      additionalFields: {
        plan: { type: 'string', input: false, defaultValue: () => env().DEFAULT_PLAN },
      },
    },
    account: { modelName: 'signInMethod' },
    session: { expiresIn: 14 * day, updateAge: day },
    emailAndPassword: { enabled: true, minPasswordLength: 8, maxPasswordLength: 128 },
    rateLimit: {
      enabled: true,
      storage: 'database',
      modelName: 'signInThrottle',
      // By address. Rows are kept for the longest window here: not shorter than the account's.
      customRules: {
        '/sign-in/email': { window: 60, max: 20 },
        '/sign-up/email': { window: accountLimit.windowSeconds, max: 20 },
        '/change-password': { window: 60, max: 5 },
      },
    },
    hooks: { before: throttleByAccount, after: forgetAfterSignIn },
    databaseHooks: { user: { create: { before: refuseWhereClosed } } },
    logger: {
      log: (level, message) => log()[level]({ component: 'auth' }, message),
    },
  });
}

/** Answers the origin of the request where it is our own, as the only one that is trusted. */
function ownOrigin(request?: Request): string[] {
  const origin = request?.headers.get('origin');
  return request && origin && isOwnOrigin(request.headers) ? [origin] : [];
}

const throttleByAccount = createAuthMiddleware(async (context) => {
  const email = signInEmail(context);
  if (email === undefined || (await countSignIn(email, Date.now()))) return;
  throw new APIError('TOO_MANY_REQUESTS', {
    message: 'Too many tries for this account. Wait a quarter of an hour and try again.',
  });
});

const forgetAfterSignIn = createAuthMiddleware(async (context) => {
  const email = signInEmail(context);
  if (email !== undefined && context.context.newSession) await forgetSignIns(email);
});

function signInEmail(context: { path: string; body: { email?: unknown } | undefined }) {
  const email = context.path === '/sign-in/email' ? context.body?.email : undefined;
  return typeof email === 'string' ? email : undefined;
}

/** Whether a person may make an account: with SIGN_UP=closed, the first one only. */
export async function isSignUpOpen(): Promise<boolean> {
  return env().SIGN_UP === 'open' || (await database().user.count()) === 0;
}

/** The command line creates accounts outside any request, and is not asked. */
async function refuseWhereClosed(_user: unknown, context: { path?: string } | null): Promise<void> {
  if (!context?.path || (await isSignUpOpen())) return;
  throw new APIError('FORBIDDEN', {
    message: 'Sign-up is closed. Ask whoever runs the service.',
  });
}
