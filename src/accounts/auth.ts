import { betterAuth } from 'better-auth';
import { prismaAdapter } from 'better-auth/adapters/prisma';
import { APIError } from 'better-auth/api';
import { database } from '../database/client';
import { env } from '../env';
import { log } from '../log';
import { singleton } from '../singleton';
import { derivedKey } from './secrets';

/** Sign-in for people: accounts, passwords and sessions, kept by better-auth in our tables. */
export function auth() {
  return singleton('auth', createAuth);
}

function createAuth() {
  const publicUrl = env().PUBLIC_URL;
  return betterAuth({
    appName: 'Testimonials',
    basePath: '/api/auth',
    baseURL: publicUrl,
    secret: derivedKey('sessions').toString('base64'),
    database: prismaAdapter(database(), { provider: 'postgresql' }),
    advanced: {
      database: { generateId: 'uuid' },
      useSecureCookies: publicUrl?.startsWith('https:') ?? false,
    },
    user: {
      additionalFields: {
        plan: { type: 'string', input: false, defaultValue: () => env().DEFAULT_PLAN },
      },
    },
    account: { modelName: 'signInMethod' },
    emailAndPassword: { enabled: true, minPasswordLength: 8, maxPasswordLength: 128 },
    rateLimit: { enabled: true, storage: 'database', modelName: 'signInThrottle' },
    databaseHooks: { user: { create: { before: refuseWhereClosed } } },
    logger: {
      log: (level, message) => log()[level]({ component: 'auth' }, message),
    },
  });
}

/**
 * With SIGN_UP=closed only the first account may sign up. The command line creates accounts
 * outside any request, and is not asked.
 */
async function refuseWhereClosed(_user: unknown, context: { path?: string } | null): Promise<void> {
  if (env().SIGN_UP === 'open' || !context?.path) return;
  if ((await database().user.count()) > 0) {
    throw new APIError('FORBIDDEN', {
      message: 'Sign-up is closed. Ask whoever runs the service.',
    });
  }
}
