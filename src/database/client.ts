import { PrismaPg } from '@prisma/adapter-pg';
import { Pool } from 'pg';
import { env } from '../env';
import { log } from '../log';
import { singleton } from '../singleton';
import { PrismaClient } from './generated/client';
import { statementNames } from './statement-names';

/**
 * Every instant crosses the wire as text in the session's zone, and the driver reads it as UTC:
 * in any other zone it would be off by the difference.
 */
const sessionOptions = '-c TimeZone=UTC';

/** How long a request waits for a free connection before it fails with an internal error. */
const connectionTimeoutMs = 10_000;

type Connections = {
  pool: Pool;
  prisma: PrismaClient;
  /** The name under which a connection keeps the statement prepared; empty where it keeps none. */
  nameOf: (statement: string) => string;
};

/**
 * The database. Connects on first use, so that importing this file (as `next build` does) opens
 * nothing.
 */
export function database(): PrismaClient {
  return connections().prisma;
}

/** The pool that `database()` works through, and its prepared statements. For `read` alone. */
export function connections(): Connections {
  return singleton('database', () => {
    const connectionString = env().DATABASE_URL;
    if (!connectionString) {
      throw new Error('DATABASE_URL is not set. Set it, or use "npm start", which brings its own.');
    }
    const pool = new Pool({
      connectionString,
      max: env().DATABASE_POOL_SIZE,
      options: sessionOptions,
      connectionTimeoutMillis: connectionTimeoutMs,
    });
    const nameOf = statementNames(connectionString);
    const adapter = new PrismaPg(pool, {
      disposeExternalPool: true,
      statementNameGenerator: ({ sql }) => nameOf(sql),
      // Without listeners, a lost connection would end the process. The pool replaces it.
      onPoolError: (error) => log().warn({ err: error }, 'idle database connection lost'),
      onConnectionError: (error) => log().warn({ err: error }, 'database connection lost'),
    });
    return { pool, prisma: new PrismaClient({ adapter }), nameOf };
  });
}
