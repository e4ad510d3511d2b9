/**
 * What each operation and each row costs, on a Postgres server on this machine (Linux):
 *   npm run build
 *   BENCH_DATABASE_URL=postgresql://… npm run bench:costs
 * Works in a copy of a database that it keeps, and drops the copy at the end. docs/scaling.md says
 * what follows from the figures.
 *   --rows 1000000     of the database
 *   --rounds 3         how often each is measured
 *   --save FILE        writes the figures down, for bench:accounts
 */
import { existsSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Client } from 'pg';
import { withTemporaryFolder } from '../src/file-system/temporary-folder';
import { costsOfDeliveries } from './costs/beside-requests';
import { withCopy } from './costs/database';
import type { Cost, Figures, TableSize } from './costs/figures';
import { costsOfRequests } from './costs/requests';
import { tableSizes } from './costs/sizes';
import { startClient } from './list/client-process';
import { isLocal } from './list/cpu';
import { bigAccount } from './list/data';
import { type BenchDatabase, provideDatabase, within } from './list/load';
import { Servers } from './list/servers';
import { table } from './list/table';
import { fail } from './own-database';

const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '3' },
    save: { type: 'string' },
  },
});
const rounds = Number(options.rounds);

async function main(): Promise<void> {
  const server = process.env.BENCH_DATABASE_URL;
  if (!server) throw new Error('Set BENCH_DATABASE_URL to a Postgres server, as postgresql://…');
  if (!existsSync(resolve(__dirname, '../.next/BUILD_ID'))) {
    throw new Error('The service is not built yet. Run "npm run build" first.');
  }
  await within(server, checkServer);
  const kept = { isFresh: false, isGrown: true, say };
  const original = await provideDatabase(server, Number(options.rows), kept);
  const figures = await withCopy(server, original, (copy) =>
    within(copy.url, (postgres) => measureAll(copy, postgres)),
  );
  say(`\nBytes for each row\n\n${sizeTable(figures)}`);
  say(`\nCosts of one\n\n${costTable(figures.operations)}`);
  say(`\nLoad of the machine at the end: ${loadavg()[0]?.toFixed(1)}`);
  if (options.save) writeFileSync(options.save, `${JSON.stringify(figures, undefined, 2)}\n`);
}

async function measureAll(database: BenchDatabase, postgres: Client): Promise<Figures> {
  await postgres.query('CREATE EXTENSION IF NOT EXISTS pg_walinspect');
  const loaded = await tableSizes(postgres);
  const operations = await measureRequests(database, postgres);
  const written = await tableSizes(postgres);
  let delivered: Record<string, TableSize> = {};
  const atRest = async () => {
    delivered = await tableSizes(postgres);
  };
  Object.assign(operations, await costsOfDeliveries(postgres, rounds, { say, atRest }));
  const { rows } = await postgres.query<{ version: string; big: number; quota: number }>(
    `SELECT current_setting('server_version') AS version,
       (SELECT count(*)::int FROM testimonials WHERE user_id = $1) AS big,
       (SELECT avg(testimonial_bytes(t))::float8 FROM testimonials t) AS quota`,
    [bigAccount.id],
  );
  return {
    rows: database.rows,
    node: process.versions.node,
    postgres: rows[0]?.version ?? '',
    bigAccountRows: rows[0]?.big ?? 0,
    quotaBytes: Math.round(rows[0]?.quota ?? 0),
    // Each as it lay before anything else was done to it.
    tables: { ...delivered, ...written, ...loaded },
    operations,
  };
}

async function measureRequests(database: BenchDatabase, postgres: Client) {
  const client = startClient();
  try {
    return await withTemporaryFolder(async (folder) => {
      const servers = new Servers({ large: database, small: database }, folder);
      try {
        return await costsOfRequests({ database, servers, client, postgres, rounds, say });
      } finally {
        await servers.stopAll();
      }
    });
  } finally {
    client.close();
  }
}

/** @throws Error that names what is missing */
async function checkServer(client: Client): Promise<void> {
  const { rows } = await client.query<{
    is_superuser: boolean;
    has_walinspect: boolean;
    others: number;
  }>(
    `SELECT rolsuper AS is_superuser, EXISTS (
       SELECT FROM pg_available_extensions WHERE name = 'pg_walinspect'
     ) AS has_walinspect, (
       SELECT count(*)::int FROM pg_stat_activity
       WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()
     ) AS others
     FROM pg_roles WHERE rolname = current_user`,
  );
  const [server] = rows;
  if (!server?.is_superuser) throw new Error('CHECKPOINT and pg_walinspect want a superuser.');
  if (!server.has_walinspect)
    throw new Error('The server lacks pg_walinspect (Postgres 15, contrib).');
  if (!(await isLocal(client))) {
    throw new Error('The Postgres server runs elsewhere: its CPU time is not seen.');
  }
  if (server.others > 0) say('Note: the server has other clients, and the figures show it.');
}

function sizeTable({ tables }: Figures): string {
  const lines = Object.entries(tables).flatMap(([name, { rows, bytes, indexes }]) => {
    const all = Object.values(indexes).reduce((sum, size) => sum + size, bytes);
    return [
      [name, 'all', String(rows), all.toFixed(0)],
      ['', 'table', '', bytes.toFixed(0)],
      ...Object.entries(indexes)
        .filter(([, size]) => size >= 0.5)
        .map(([index, size]) => ['', index, '', size.toFixed(0)]),
    ];
  });
  return table(['table', 'part', 'rows', 'bytes a row'], lines);
}

function costTable(operations: Record<string, Cost>): string {
  const lines = Object.entries(operations).map(([name, { service, database, wal, images }]) => [
    name,
    milliseconds(service),
    milliseconds(database),
    wal < 50 ? '–' : wal.toFixed(0),
    wal < 50 ? '–' : images.toFixed(0),
  ]);
  return table(
    ['operation', 'service, ms', 'database, ms', 'WAL, bytes', 'page images, bytes'],
    lines,
  );
}

function milliseconds(value: number): string {
  return value < 0.1 ? value.toFixed(3) : value < 10 ? value.toFixed(2) : value.toFixed(0);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

main().then(() => process.exit(), fail);
