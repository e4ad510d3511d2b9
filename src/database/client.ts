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
  prisma: PrismaClient;
  /** Undefined until it is used, and again once it is closed. */
  pool?: Pool | undefined;
  nameOf: (statement: string) => string;
};

/**
 * The database. Connects on first use, so that importing this file (as `next build` does) opens
 * nothing.
 */
export function database(): PrismaClient {
  return connections().prisma;
}

/** The connections that `database()` works through. */
export function pool(): Pool {
  const held = connections();
  held.pool ??= openPool();
  return held.pool;
}

/** The name under which a connection keeps the statement prepared; empty where it keeps none. */
export function statementName(statement: string): string {
  return connections().nameOf(statement);
}

/** Closes every connection; the next use opens new ones. */
export async function disconnect(): Promise<void> {
  const held = connections();
  await held.prisma.$disconnect();
  await held.pool?.end();
  held.pool = undefined;
}

function connections(): Connections {
  return singleton('database', () => {
    const nameOf = statementNames(databaseUrl());
    const options: ConstructorParameters<typeof PrismaPg>[1] = {
      statementNameGenerator: ({ sql }) => nameOf(sql),
      onConnectionError: (error) => log().warn({ err: error }, 'database connection lost'),
    };
    // Prisma asks again after a disconnect, and then for the new pool.
    const connect = () => new PrismaPg(pool(), options).connect();
    const adapter = { provider: 'postgres' as const, adapterName: 'shared-pool', connect };
    return { prisma: new PrismaClient({ adapter }), nameOf };
  });
}

function openPool(): Pool {
  const opened = new Pool({
    connectionString: databaseUrl(),
    max: env().DATABASE_POOL_SIZE,
    options: sessionOptions,
    connectionTimeoutMillis: connectionTimeoutMs,
  });
  // Without listeners, a lost connection would end the process. The pool replaces it.
  opened.on('error', (error) => log().warn({ err: error }, 'idle database connection lost'));
  return opened;
}

function databaseUrl(): string {
  const url = env().DATABASE_URL;
  if (url) return url;
  throw new Error('DATABASE_URL is not set. Set it, or use "npm start", which brings its own.');
}
