/** Makes and keeps the databases that the list benchmark reads. */
import { Client, escapeIdentifier } from 'pg';
import { digestKey, hintOf } from '../../src/api-keys/key';
import { migrate, pendingMigrations } from '../../src/database/migrations/migrate';
import { columnNames } from '../../src/testimonials/columns';
import { accounts, type BenchAccount, testimonials } from './data';

const batchSize = 20_000;

/** A database with rows, ready to be read. */
export type BenchDatabase = { name: string; url: string; rows: number; accounts: BenchAccount[] };

/**
 * A database with so many testimonials. One that an earlier run left is used again, unless it is
 * not whole or its migrations are others, or `isFresh` asks for a new one. It is not migrated: rows
 * that lie as an older version left them would not show what this one costs.
 *
 * With `isGrown`, rows come in while all indexes are there, which leaves these as full as they are in
 * a service that has grown; made at the end, they are packed.
 */
export async function provideDatabase(
  server: string,
  rows: number,
  options: { isFresh: boolean; isGrown?: boolean; say: (line: string) => void },
): Promise<BenchDatabase> {
  const name = `testimonials_bench_list_${rows}${options.isGrown ? '_grown' : ''}`;
  const url = new URL(server);
  url.pathname = `/${name}`;
  const database = { name, url: url.href, rows, accounts: accounts(rows) };
  const admin = new Client({ connectionString: server });
  await admin.connect();
  try {
    if (options.isFresh || !(await isUsable(admin, database, options.say))) {
      await admin.query(`DROP DATABASE IF EXISTS ${escapeIdentifier(name)} WITH (FORCE)`);
      await admin.query(`CREATE DATABASE ${escapeIdentifier(name)}`);
      await migrate({ url: url.href, log: () => {} });
      await within(url.href, (client) => load(client, database, options));
    }
  } finally {
    await admin.end();
  }
  return database;
}

/** Runs a task with a connection of its own. */
export async function within<T>(url: string, task: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await task(client);
  } finally {
    await client.end();
  }
}

async function isUsable(
  admin: Client,
  { name, url, rows }: BenchDatabase,
  say: (line: string) => void,
): Promise<boolean> {
  const { rowCount } = await admin.query('SELECT FROM pg_database WHERE datname = $1', [name]);
  if (!rowCount) return false;
  return within(url, async (client) => {
    // Written last: without it, a load was broken off.
    const { rows: found } = await client.query<{ rows: number }>(
      `SELECT obj_description(to_regclass('testimonials'))::int AS rows`,
    );
    if (found[0]?.rows !== rows) return false;
    const query = async (sql: string) => (await client.query(sql)).rows;
    const isCurrent = await pendingMigrations({ query }).then(
      (pending) => pending.length === 0,
      () => false,
    );
    if (!isCurrent) say(`${name} has other migrations: loading it again`);
    return isCurrent;
  });
}

async function load(
  client: Client,
  { name, rows, accounts: owners }: BenchDatabase,
  { isGrown = false, say }: { isGrown?: boolean; say: (line: string) => void },
): Promise<void> {
  const begun = performance.now();
  const note = (what: string) => {
    say(`${name}: ${what}, ${((performance.now() - begun) / 1000).toFixed(0)} s`);
  };
  await client.query(`SET maintenance_work_mem = '256MB'; SET synchronous_commit = off`);
  await insertAccounts(client, owners);
  const indexes = isGrown ? [] : await dropSecondaryIndexes(client);
  await client.query('ALTER TABLE testimonials DISABLE TRIGGER USER');
  for (let from = 0; from < rows; from += batchSize) {
    const to = Math.min(rows, from + batchSize);
    await insertTestimonials(client, JSON.stringify(testimonials(owners, rows, from, to)));
    if (to % (batchSize * 5) === 0) note(`${to} of ${rows} rows`);
  }
  await client.query('ALTER TABLE testimonials ENABLE TRIGGER USER');
  note('counts and texts');
  await fillDerived(client);
  for (const index of indexes) {
    note(index.replace(/ USING.*/, ''));
    await client.query(index);
  }
  note('VACUUM');
  await client.query('VACUUM (ANALYZE)');
  await client.query(`COMMENT ON TABLE testimonials IS '${rows}'`);
  note('ready');
}

async function insertTestimonials(client: Client, json: string): Promise<void> {
  const columns = [...columnNames, 'event_sequence'].join(', ');
  await client.query(
    `INSERT INTO testimonials (${columns})
     SELECT ${columns} FROM json_populate_recordset(NULL::testimonials, $1::json)`,
    [json],
  );
}

/** What the triggers keep beside the rows: at once, which they do for each account and count. */
async function fillDerived(client: Client): Promise<void> {
  await client.query(
    `INSERT INTO testimonial_counts
     SELECT user_id, space_id, status, type, coalesce(rating, 0), count(*)
     FROM testimonials GROUP BY 1, 2, 3, 4, 5`,
  );
  await client.query(
    `UPDATE users SET testimonial_count = counted.count
     FROM (SELECT user_id, sum(count) AS count FROM testimonial_counts GROUP BY 1) counted
     WHERE counted.user_id = users.id`,
  );
  await client.query(
    `INSERT INTO testimonial_texts (user_id, testimonial_id, created_at, folded)
     SELECT user_id, id, created_at, folded_text(text_content) FROM testimonials
     WHERE text_content IS NOT NULL`,
  );
}

/** A key of each account is stored as the service stores its own, by the digest. */
async function insertAccounts(client: Client, owners: BenchAccount[]): Promise<void> {
  const spaces = owners.flatMap(({ id, spaceIds }, account) =>
    spaceIds.map((space, index) => ({ id: space, user_id: id, slug: `bench-${account}-${index}` })),
  );
  await client.query(
    `INSERT INTO users (id, name, email)
     SELECT id, email, email FROM json_populate_recordset(NULL::users, $1::json)`,
    [JSON.stringify(owners.map(({ id, email }) => ({ id, email })))],
  );
  await client.query(
    `INSERT INTO spaces (id, user_id, name, slug)
     SELECT id, user_id, slug, slug FROM json_populate_recordset(NULL::spaces, $1::json)`,
    [JSON.stringify(spaces)],
  );
  await client.query(
    `INSERT INTO api_keys (user_id, name, digest, hint, scopes, last_used_at)
     SELECT user_id, 'Bench', digest, hint, '{read,write,delete}', now()
     FROM json_populate_recordset(NULL::api_keys, $1::json)`,
    [
      JSON.stringify(
        owners.map(({ id, key }) => ({ user_id: id, digest: digestKey(key), hint: hintOf(key) })),
      ),
    ],
  );
}

/**
 * Of testimonials and of what is kept beside them: filling indexes row by row takes longer. Returns
 * the statements that make them again.
 */
async function dropSecondaryIndexes(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition
     FROM pg_index JOIN pg_class indexed ON indexed.oid = indrelid
     WHERE indexed.relname LIKE 'testimonial%' AND NOT indexed.relispartition AND NOT indisunique
     ORDER BY 1`,
  );
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`);
  // The index of a partitioned table is shown as if it were to have no partitions.
  return rows.map(({ definition }) => definition.replace(' ON ONLY ', ' ON '));
}
