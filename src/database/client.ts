import { PrismaPg } from '@prisma/adapter-pg';
import { env } from '../env';
import { log } from '../log';
import { singleton } from '../singleton';
import { PrismaClient } from './generated/client';

/**
 * Every instant crosses the wire as text in the session's zone, and the driver reads it as UTC:
 * in any other zone it would be off by the difference.
 */
const sessionOptions = '-c TimeZone=UTC';

/** How long a request waits for a free connection before it fails with an internal error. */
const connectionTimeoutMs = 10_000;

/**
 * The database. Connects on first use, so that importing this file (as `next build` does) opens
 * nothing.
 */
export function database(): PrismaClient {
  return singleton('database', () => {
    const connectionString = env().DATABASE_URL;
    if (!connectionString) {
      throw new Error('DATABASE_URL is not set. Set it, or use "npm start", which brings its own.');
    }
    const adapter = new PrismaPg(
      {
        connectionString,
        max: env().DATABASE_POOL_SIZE,
        options: sessionOptions,
        connectionTimeoutMillis: connectionTimeoutMs,
      },
      {
        // Without listeners, a lost connection would end the process. The pool replaces it.
        onPoolError: (error) => log().warn({ err: error }, 'idle database connection lost'),
        onConnectionError: (error) => log().warn({ err: error }, 'database connection lost'),
      },
    );
    return new PrismaClient({ adapter });
  });
}
