import { disconnect } from '@/src/database/client';
import { settled } from '../helpers/next-server';
import { query } from './query';

/** What stands in for a replica: a copy of a database that says of itself that it is its standby. */
export type StandIn = {
  url: string;
  /** Runs SQL there past the triggers, as what comes from a primary is written. */
  write(sql: string): Promise<unknown>;
  close(): Promise<void>;
};

/**
 * Copies a database of a server, which nobody may be connected to meanwhile but for this process. The
 * copy has the numbers of its tables; its schema hides those functions of Postgres that would tell.
 */
export async function openStandIn(primaryUrl: string): Promise<StandIn> {
  await forgetDatabase();
  const name = new URL(primaryUrl).pathname.slice(1);
  const copy = `${name}_copy`;
  const url = at(primaryUrl, copy);
  const admin = at(primaryUrl, 'postgres');
  const [row] = await query(primaryUrl, `SELECT oid FROM pg_database WHERE datname = '${name}'`);
  await query(admin, `CREATE DATABASE ${copy} TEMPLATE ${name}`);
  await query(
    url,
    `CREATE SCHEMA stand_in;
     CREATE FUNCTION stand_in.pg_is_in_recovery() RETURNS boolean LANGUAGE sql AS 'SELECT true';
     CREATE VIEW stand_in.pg_database AS SELECT ${row?.oid}::oid AS oid, current_database() AS datname;
     ALTER DATABASE ${copy} SET search_path = stand_in, pg_catalog, public`,
  );
  return {
    url,
    write: (sql) => query(url, `SET session_replication_role = replica; ${sql}`),
    close: async () => {
      await query(admin, `DROP DATABASE ${copy} WITH (FORCE)`);
    },
  };
}

/** Has this process connect anew, by the settings of then. */
export async function forgetDatabase(): Promise<void> {
  // What requests have left for after their answers connects as well.
  await settled();
  await disconnect();
  Reflect.deleteProperty(globalThis, Symbol.for('testimonials.database'));
}

function at(url: string, name: string): string {
  const other = new URL(url);
  other.pathname = `/${name}`;
  return other.href;
}
