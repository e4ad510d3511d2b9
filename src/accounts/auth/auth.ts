import { betterAuth } from 'better-auth';
import { prismaAdapter } from 'better-auth/adapters/prisma';
import { addressRange } from '../../api/forwarded';
import { isBehindHttps } from '../../api/origin';
import { database, transaction } from '../../database/client';
import { env, removeFromEnv } from '../../env';
import { log } from '../../logging/log';
import { derivedKey } from '../../secrets/derived-key';
import { singleton } from '../../singleton';
import { trimSessions, userAgentCharacters } from '../sessions';

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

/** How exactly it is known when a session was last used: at most so often it is written down. */
const seenEverySeconds = 10 * 60;

/**
 * What the line of the request says better: of `signIn` who was refused, and of any that failed, what
 * the matter was.
 */
const saidElsewhere = new Set([
  'User not found',
  'Password not found',
  'Invalid password',
  'INTERNAL_SERVER_ERROR',
]);

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
      // Its own reading knows no ports, and not every range that TRUSTED_PROXIES may name.
      ipAddress: { disableIpTracking: true },
    },
    user: {
      additionalFields: {
        plan: { type: 'string', input: false },
        closedAt: { type: 'date', input: false, required: false },
      },
    },
    account: { modelName: 'signInMethod' },
    session: {
      expiresIn: 14 * day,
      updateAge: seenEverySeconds,
      additionalFields: { testAccountId: { type: 'string', input: false, required: false } },
    },
    databaseHooks: {
      session: {
        create: {
          before: async ({ userAgent }, context) => ({
            data: {
              userAgent: userAgent?.slice(0, userAgentCharacters),
              ipAddress: (context?.headers && addressRange(context.headers)) ?? null,
            },
          }),
          // The session has begun, whatever becomes of those before it.
          after: ({ userId }) =>
            trimSessions(userId).catch((error: unknown) => {
              log().warn({ err: error, component: 'auth' }, 'sessions not trimmed');
            }),
        },
      },
    },
    // Accounts, and the lengths of their passwords, are ours: see `makeAccount`.
    emailAndPassword: { enabled: true, disableSignUp: true },
    logger: {
      log: (level, message) =>
        log()[saidElsewhere.has(message) ? 'debug' : level]({ component: 'auth' }, message),
    },
  });
}

/** Whether a person may make an account: with SIGN_UP=closed, the first one only. */
export async function isSignUpOpen(): Promise<boolean> {
  if (env().SIGN_UP === 'open') return true;
  const where = { closedAt: null, liveUserId: null };
  return (await database().user.findFirst({ where, select: { id: true } })) === null;
}

/** The advisory lock under which it is seen who was first. */
const firstSignUpLock = 7_308_332;

/**
 * Keeps a new account, and returns whether it does: with SIGN_UP=closed, one that is not alone is
 * removed again, so that of several who found nobody exactly one stays.
 */
export async function keepIfAlone(accountId: string): Promise<boolean> {
  if (env().SIGN_UP === 'open') return true;
  return transaction(async (client) => {
    // In a statement of its own: the next one sees who was removed while this one waited.
    await client.query('SELECT pg_advisory_xact_lock($1)', [firstSignUpLock]);
    const { rowCount } = await client.query(
      `DELETE FROM users WHERE id = $1 AND EXISTS (
        SELECT FROM users WHERE id <> $1 AND closed_at IS NULL AND live_user_id IS NULL)`,
      [accountId],
    );
    return rowCount === 0;
  });
}
