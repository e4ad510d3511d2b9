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
  const held = holder();
  held.current ??= connect();
  return held.current;
}

/** Closes every connection; the next use opens new ones. */
export async function disconnect(): Promise<void> {
  const held = holder();
  const { current } = held;
  held.current = undefined;
  await current?.prisma.$disconnect();
  await current?.pool.end();
}

function holder(): { current?: Connections | undefined } {
  return singleton('database', () => ({}));
}

function connect(): Connections {
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
  // Without listeners, a lost connection would end the process. The pool replaces it.
  pool.on('error', (error) => log().warn({ err: error }, 'idle database connection lost'));
  const nameOf = statementNames(connectionString);
  const adapter = new PrismaPg(pool, {
    statementNameGenerator: ({ sql }) => nameOf(sql),
    onConnectionError: (error) => log().warn({ err: error }, 'database connection lost'),
  });
  return { pool, prisma: new PrismaClient({ adapter }), nameOf };
}
