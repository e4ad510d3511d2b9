import { betterAuth } from 'better-auth';
import { prismaAdapter } from 'better-auth/adapters/prisma';
import { isBehindHttps } from '../api/origin';
import { database } from '../database/client';
import { env, removeFromEnv } from '../env';
import { log } from '../log';
import { derivedKey } from '../secrets/derived-key';
import { singleton } from '../singleton';

/**
 * Accounts, passwords and sessions, kept by better-auth in our tables. Its functions are called one
 * by one; its own router, with its checks of origins and its throttle, is not used. The headers say
 * whether the browser is behind https, where cookies are `Secure`.
 */
export function auth(headers: Headers = new Headers()) {
  const isSecure = isBehindHttps(headers);
  return singleton(isSecure ? 'auth-https' : 'auth-http', () => createAuth(isSecure));
}

const day = 24 * 60 * 60;

function createAuth(isSecure: boolean) {
  // Telemetry and trusted origins can be switched on there, and no option switches them off again.
  removeFromEnv(/BETTER_AUTH_/);
  return betterAuth({
    appName: 'Testimonials',
    // Only its router would need the right one. Without any it looks for BASE_URL and others.
    baseURL: 'http://localhost',
    secret: derivedKey('sessions').toString('base64'),
    database: prismaAdapter(database(), { provider: 'postgresql' }),
    advanced: {
      database: { generateId: 'uuid' },
      useSecureCookies: isSecure,
      ipAddress: { trustedProxies: env().TRUSTED_PROXIES },
    },
    user: {
      additionalFields: {
        plan: { type: 'string', input: false, defaultValue: () => env().DEFAULT_PLAN },
      },
    },
    account: { modelName: 'signInMethod' },
    session: { expiresIn: 14 * day, updateAge: day },
    emailAndPassword: { enabled: true, minPasswordLength: 8, maxPasswordLength: 128 },
    logger: {
      log: (level, message) => log()[level]({ component: 'auth' }, message),
    },
  });
}

/** Whether a person may make an account: with SIGN_UP=closed, the first one only. */
export async function isSignUpOpen(): Promise<boolean> {
  return env().SIGN_UP === 'open' || (await database().user.count()) === 0;
}
