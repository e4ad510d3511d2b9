import { Client } from 'pg';
import { openTemporary } from '../../src/database/embedded/open';
import { createOnServer, query } from '../database/query';
import { keptSnapshot } from '../helpers/kept-snapshot';

type EmptyDatabase = { url: string; close(): Promise<void> };

/** A database without any tables: on the server of TEST_DATABASE_URL, else an embedded one. */
export async function openEmpty(): Promise<EmptyDatabase> {
  const server = process.env.TEST_DATABASE_URL;
  // Another collation than the embedded one's, as most servers have.
  return server ? createOnServer(server, 'copy') : openEmbeddedEmpty();
}

const emptying = 'DROP SCHEMA public CASCADE; CREATE SCHEMA public';

const idle: string[] = [];
const closings: (() => Promise<void>)[] = [];

/** To open one takes long: what is closed is emptied and opened again, until the file ends. */
export async function openEmbeddedEmpty(): Promise<EmptyDatabase> {
  const url = idle.pop() ?? (await openAnother());
  return {
    url,
    close: async () => {
      await query(url, emptying);
      idle.push(url);
    },
  };
}

async function openAnother(): Promise<string> {
  // To empty a database of the snapshot takes a fifth of the time that making one does.
  const { url, close } = await openTemporary({ idleTransactionMs: 60_000, ...keptSnapshot() });
  closings.push(close);
  await query(url, emptying);
  return url;
}

/** For a test file: opens a database and resolves to its address; it is closed after the test. */
export function databasesOfTests(): (kind: () => Promise<EmptyDatabase>) => Promise<string> {
  let opened: EmptyDatabase[] = [];
  afterEach(async () => {
    await Promise.all(opened.map(({ close }) => close()));
    opened = [];
  });
  afterAll(() => Promise.all(closings.map((close) => close())));
  return async (kind) => {
    const database = await kind();
    opened.push(database);
    return database.url;
  };
}

/**
 * All that a database holds, table by table, without anything of the engine under test: each row as
 * Postgres writes it, those of a table in order of their bytes, as one digest.
 */
export async function contentOf(url: string): Promise<Record<string, string>> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`BEGIN; SET LOCAL TimeZone = 'UTC'; SET LOCAL DateStyle = 'ISO'`);
    const { rows: tables } = await client.query<{ name: string }>(
      `SELECT quote_ident(relname) AS name FROM pg_class
       WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
         AND relname <> '_prisma_migrations' ORDER BY 1`,
    );
    const content: Record<string, string> = {};
    for (const { name } of tables) {
      const { rows } = await client.query(
        `SELECT count(*) || ' ' || coalesce(md5(string_agg(md5(t::text), '' ORDER BY md5(t::text) COLLATE "C")), '')
           AS digest FROM ${name} t`,
      );
      content[name] = rows[0]?.digest;
    }
    const { rows: sequences } = await client.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relkind = 'S' ORDER BY 1`,
    );
    for (const { name } of sequences) {
      const { rows } = await client.query(
        `SELECT last_value || ' ' || is_called AS state FROM ${name}`,
      );
      content[name] = rows[0]?.state;
    }
    return content;
  } finally {
    await client.end();
  }
}

/** Indexes, constraints and triggers, as the catalog describes them. */
export async function schemaOf(url: string): Promise<Record<string, unknown>[]> {
  return query(
    url,
    `SELECT 'index' AS kind, indexname::text AS name, indexdef AS definition FROM pg_indexes
       WHERE schemaname = 'public' AND tablename <> '_prisma_migrations'
     UNION ALL SELECT 'constraint', conrelid::regclass || ' ' || conname, pg_get_constraintdef(oid)
       || convalidated::text FROM pg_constraint
       WHERE connamespace = 'public'::regnamespace AND contype <> 'n'
     UNION ALL SELECT 'trigger', tgrelid::regclass || ' ' || tgname, pg_get_triggerdef(oid) || tgenabled::text
       FROM pg_trigger WHERE NOT tgisinternal
     UNION ALL SELECT 'partition', relname::text, pg_get_expr(relpartbound, oid) FROM pg_class
       WHERE relispartition AND relkind = 'r'
     ORDER BY 1, 2, 3`,
  );
}
