import { PrismaPg } from '@prisma/adapter-pg';
import type { SqlDriverAdapter, SqlQuery, SqlQueryable } from '@prisma/driver-adapter-utils';
import type { Pool, PoolClient } from 'pg';
import { env } from '../env';
import { singleton } from '../singleton';
import { againAfterDeadlock } from './connections/deadlocks';
import { withOffsets } from './connections/offsets';
import { type Connections, onConnection, openConnections, tellLost } from './connections/pool';
import { statementNames } from './connections/statement-names';
import { type Prisma, PrismaClient } from './generated/client';
import type { Source } from './replicas/replica';
import {
  type AccountQuery,
  type AccountState,
  openReplicas,
  type Replicas,
} from './replicas/replicas';

type Held = {
  prisma: PrismaClient;
  /** Undefined until it is used, and again once it is closed. */
  connections?: Connections | undefined;
  /** Undefined where DATABASE_READ_URLS names none. */
  replicas: Replicas | undefined;
  nameOf: (statement: string) => string;
};

/**
 * The database. Connects on first use, so that importing this file (as `next build` does) opens
 * nothing.
 */
export function database(): PrismaClient {
  return held().prisma;
}

/** The connections that `database()` works through. */
export function pool(): Pool {
  return connections().pool;
}

/** Runs what only reads, and once more where its connection was cut; see `Connections`. */
export function repeatable<T>(read: () => Promise<T>): Promise<T> {
  return connections().repeatable(read);
}

/** One transaction on a connection of the pool, which is undone where `work` throws. */
export function transaction<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
  return connections().transaction(work);
}

/**
 * One transaction whose statements may take minutes, such as removing all that an account has; others
 * are given five seconds each. `execute` resolves to the number of rows.
 */
export function longTransaction<T>(
  work: (execute: (statement: Prisma.Sql) => Promise<number>) => Promise<T>,
): Promise<T> {
  return connections().longTransaction((client) =>
    work(async ({ text, values }) => (await client.query({ text, values })).rowCount ?? 0),
  );
}

/** Gives the statements of a connection of the pool minutes, until it is given back. */
export function allowLong(client: PoolClient): void {
  connections().allowLong(client);
}

/** One statement that may take minutes, as a transaction of its own. Returns its rows. */
export function longStatement<Row extends object>({ text, values }: Prisma.Sql): Promise<Row[]> {
  return againAfterDeadlock(() =>
    onConnection(pool(), async (client) => {
      allowLong(client);
      return (await client.query<Row>({ text, values })).rows;
    }),
  );
}

/** The name under which a connection keeps the statement prepared; empty where it keeps none. */
export function statementName(statement: string): string {
  return held().nameOf(statement);
}

/**
 * Runs a read of an account's testimonials and spaces by a replica, as `Replicas.read` does. Undefined,
 * and at once where there are none, where the primary has to be asked.
 */
export function readByReplica<Row extends object>(
  query: AccountQuery,
  of: AccountState | undefined,
  run: (query: Prisma.Sql, source: Source) => Promise<Row[]>,
): Promise<Row[] | undefined> | undefined {
  if (of?.version === undefined) return undefined;
  const { accountId, version } = of;
  return held().replicas?.read(query, { accountId, version }, run);
}

/** Closes every connection; the next use opens new ones. */
export async function disconnect(): Promise<void> {
  const closing = held();
  await closing.replicas?.close();
  await closing.prisma.$disconnect();
  await closing.connections?.pool.end();
  closing.connections = undefined;
}

function connections(): Connections {
  const holder = held();
  holder.connections ??= openConnections(databaseUrl(), env().DATABASE_POOL_SIZE);
  return holder.connections;
}

function held(): Held {
  return singleton('database', () => {
    const nameOf = statementNames(databaseUrl());
    const options: ConstructorParameters<typeof PrismaPg>[1] = {
      statementNameGenerator: ({ sql }) => nameOf(sql),
      onConnectionError: (error) => tellLost(error, 'database connection lost'),
    };
    // Prisma asks again after a disconnect, and then for the new pool.
    const connect = async () => adapt(await new PrismaPg(pool(), options).connect());
    const adapter = { provider: 'postgres' as const, adapterName: 'shared-pool', connect };
    const { DATABASE_READ_URLS: urls, DATABASE_POOL_SIZE: max } = env();
    const replicas = urls && openReplicas(urls, { max, primary: pool });
    return { prisma: new PrismaClient({ adapter }), replicas, nameOf };
  });
}

/**
 * Prisma's own adapter, right in every time zone and schema, and patient with reads whose connection
 * is cut.
 */
function adapt(adapter: SqlDriverAdapter): SqlDriverAdapter {
  sendPortably(adapter);
  const queryRaw = adapter.queryRaw.bind(adapter);
  adapter.queryRaw = (query) =>
    isRead(query.sql) ? repeatable(() => queryRaw(query)) : queryRaw(query);
  const startTransaction = adapter.startTransaction.bind(adapter);
  adapter.startTransaction = async (isolation) => sendPortably(await startTransaction(isolation));
  return adapter;
}

function sendPortably<T extends SqlQueryable>(queryable: T): T {
  const queryRaw = queryable.queryRaw.bind(queryable);
  const executeRaw = queryable.executeRaw.bind(queryable);
  const portable = (query: SqlQuery) => withOffsets(withoutSchema(query));
  queryable.queryRaw = (query) => queryRaw(portable(query));
  queryable.executeRaw = (query) => executeRaw(portable(query));
  return queryable;
}

/**
 * Prisma writes the schema `public` before each table. The migrations and our own statements name none:
 * the tables are where `search_path` leads, and in `public` another service may have its own.
 */
function withoutSchema(query: SqlQuery): SqlQuery {
  return { ...query, sql: query.sql.replaceAll('"public".', '') };
}

/** A SELECT writes nothing: of the functions of the database that do, Prisma calls none. */
function isRead(sql: string): boolean {
  return /^\s*SELECT\b/i.test(sql);
}

function databaseUrl(): string {
  const url = env().DATABASE_URL;
  if (url) return url;
  throw new Error('DATABASE_URL is not set. Set it, or use "npm start", which brings its own.');
}
