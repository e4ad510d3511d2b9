/**
 * Applies `prisma/migrations` and records them in Prisma's own table, so that `prisma migrate deploy`
 * can go on with the same database. Prisma's engine is a separate download; this needs none.
 */
import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { z } from 'zod';
import { Connection } from '../connections/connection';
import {
  describeFailure,
  encodingError,
  failedError,
  MigrationError,
  strangersError,
  undoneError,
  unfinishedCopyError,
  unknownError,
  unknownSourceError,
} from './errors';
import {
  checksum,
  defaultFolder,
  type Migration,
  possibleChecksums,
  readMigrations,
} from './files';
import { sayingWhoHolds } from './lock-holders';
import { runScript } from './script';
import { sayIfTooOld } from './server-version';
import { hasTable, migrationsTable, progressTable, type RunQuery, runOn } from './tables';
import { beginMigration, takeTurn } from './turn';

const defaultConnectMs = 10_000;
/** One migration of a large table may take minutes. */
const statementTimeoutMs = 1_800_000;

const createMigrationsTable = `
  CREATE TABLE ${migrationsTable} (
    id                  varchar(36) PRIMARY KEY NOT NULL,
    checksum            varchar(64) NOT NULL,
    finished_at         timestamptz,
    migration_name      varchar(255) NOT NULL,
    logs                text,
    rolled_back_at      timestamptz,
    started_at          timestamptz NOT NULL DEFAULT now(),
    applied_steps_count integer NOT NULL DEFAULT 0
  )`;

const recordSchema = z.object({
  name: z.string(),
  checksum: z.string(),
  finished: z.boolean(),
  logs: z.string().nullable(),
});
type MigrationRecord = z.infer<typeof recordSchema>;

/** Stands in the record of a failed script that ended the transaction it was run in. */
const notUndone = 'The script ended its own transaction: what it did before may have stayed.';

type MigrateOptions = {
  url: string;
  /** Where the migrations are; the service's own unless given. */
  folder?: string | undefined;
  /** Applies these alone: for rows that were made with them, which are being copied into it. */
  only?: ReadonlySet<string>;
  log: (line: string) => void;
  /** How long the connection may take. */
  connectMs?: number;
  /** How often it is looked who holds a lock that is waited for. */
  lookEveryMs?: number;
};

/**
 * Brings the database up to date and resolves to the names of what was applied now. Each migration
 * and its record are one transaction, so a crash leaves all of it or nothing. Several processes may
 * call this at once: they take turns, and each migration is applied by one of them. One that failed
 * is tried again by the next call, for nothing of it was kept; meanwhile the version that came before
 * it can go on with the database.
 * @throws MigrationError when a migration fails, when one has failed of which something may be left,
 * when an applied one was changed, when the database is of a newer version, and when its encoding is
 * not UTF8
 */
export async function migrate(options: MigrateOptions): Promise<{ applied: string[] }> {
  const migrations = readMigrations(options.folder ?? defaultFolder());
  const client = new Connection({
    connectionString: options.url,
    connectionTimeoutMillis: options.connectMs ?? defaultConnectMs,
    silenceMs: statementTimeoutMs,
  });
  await client.connect();
  try {
    await requireMigratable(client, options);
    await sayIfTooOld(client, options.log);
    const applied: string[] = [];
    for (;;) {
      const name = await applyNext(client, migrations, options);
      if (name === undefined) return { applied };
      options.log(`applied migration ${name}`);
      applied.push(name);
    }
  } finally {
    await client.end();
  }
}

/**
 * Throws a MigrationError where `migrate` would before it changes anything: the encoding is another than
 * UTF8, or of what is to be applied something is not known.
 */
export async function requireMigratable(
  client: Client,
  { folder = defaultFolder(), only = new Set() }: Pick<MigrateOptions, 'folder' | 'only'>,
): Promise<void> {
  const known = new Set(readMigrations(folder).map(({ name }) => name));
  const unknown = [...only].find((name) => !known.has(name));
  if (unknown !== undefined) throw unknownSourceError(unknown);
  await requireEncoding(client);
}

/**
 * The names of the migrations that the database still lacks, in order. Changes nothing.
 * @throws MigrationError where something else has to be done before, as `migrate` does; but not for the
 * encoding, and also of a failed one that an earlier version recorded, which `migrate` would try again
 */
export async function pendingMigrations(options: {
  query: RunQuery;
  folder?: string;
}): Promise<string[]> {
  const migrations = readMigrations(options.folder ?? defaultFolder());
  await requireNoUnfinishedCopy(options.query);
  return selectPending(migrations, await readRecords(options.query)).map(({ name }) => name);
}

async function requireEncoding(client: Client): Promise<void> {
  const { rows } = await client.query(`SELECT current_setting('server_encoding') AS encoding`);
  const [{ encoding }] = z.tuple([z.object({ encoding: z.string() })]).parse(rows);
  if (encoding !== 'UTF8') throw encodingError(encoding);
}

/** Applies the first pending migration; undefined when there is none. */
async function applyNext(
  client: Client,
  migrations: Migration[],
  { only, url, log, lookEveryMs }: MigrateOptions,
): Promise<string | undefined> {
  await beginMigration(client);
  try {
    const applied = await sayingWhoHolds(client, { url, say: log, lookEveryMs }, async () => {
      await takeTurn(client);
      if (!only) await requireNoUnfinishedCopy(runOn(client));
      await allowAnotherTry(client);
      const pending = selectPending(migrations, await readRecords(runOn(client)));
      const next = pending.find(({ name }) => only?.has(name) ?? true);
      if (next) await apply(client, next);
      return next?.name;
    });
    await client.query('COMMIT');
    return applied;
  } catch (error) {
    // On a connection that is lost this fails as well; the first error is the one to report.
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

async function apply(client: Client, migration: Migration): Promise<void> {
  const startedAt = new Date();
  await ensureMigrationsTable(client);
  const failure = await runScript(client, migration.script);
  if (failure) {
    const { error, isUndone } = failure;
    const reason = describeFailure(error, migration.script);
    await ensureMigrationsTable(client);
    const logs = isUndone ? reason : `${reason}\n${notUndone}`;
    await record(client, migration, { startedAt, logs, ...(isUndone && { undoneAt: new Date() }) });
    await client.query('COMMIT');
    throw isUndone ? undoneError(migration.name, logs) : failedError(migration.name, logs);
  }
  await record(client, migration, { startedAt, finishedAt: new Date() });
}

/**
 * Earlier versions recorded a failed migration as one that blocks every start, although nothing of
 * it had stayed. What Prisma recorded is for a person to resolve: it may not have been undone. Where
 * there is none, nothing is written: a server that takes no writes may have every migration.
 */
async function allowAnotherTry(client: Client): Promise<void> {
  if (!(await hasMigrationsTable(runOn(client)))) return;
  const { rows } = await client.query(
    `SELECT id FROM ${migrationsTable}
     WHERE finished_at IS NULL AND rolled_back_at IS NULL AND applied_steps_count = 0
       AND logs LIKE '%(SQLSTATE %' AND logs NOT ILIKE '%savepoint%' AND position($1 IN logs) = 0`,
    [notUndone],
  );
  if (rows.length === 0) return;
  const ids = z.array(z.object({ id: z.string() })).parse(rows);
  await client.query(
    `UPDATE ${migrationsTable} SET rolled_back_at = now() WHERE id = ANY ($1::varchar[])`,
    [ids.map(({ id }) => id)],
  );
}

async function record(
  client: Client,
  { name, script }: Migration,
  outcome: { startedAt: Date; finishedAt?: Date; undoneAt?: Date; logs?: string },
): Promise<void> {
  await client.query(
    `INSERT INTO ${migrationsTable}
       (id, checksum, migration_name, started_at, finished_at, rolled_back_at, logs,
        applied_steps_count)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      randomUUID(),
      checksum(script),
      name,
      outcome.startedAt,
      outcome.finishedAt ?? null,
      outcome.undoneAt ?? null,
      outcome.logs ?? null,
      outcome.finishedAt ? 1 : 0,
    ],
  );
}

async function ensureMigrationsTable(client: Client): Promise<void> {
  if (!(await hasMigrationsTable(runOn(client)))) await client.query(createMigrationsTable);
}

/** @throws MigrationError where the rows of another database are still being copied into this one */
async function requireNoUnfinishedCopy(query: RunQuery): Promise<void> {
  if (await hasTable(query, progressTable)) throw unfinishedCopyError();
}

function hasMigrationsTable(query: RunQuery): Promise<boolean> {
  return hasTable(query, migrationsTable);
}

async function readRecords(query: RunQuery): Promise<MigrationRecord[]> {
  if (!(await hasMigrationsTable(query))) return [];
  const rows = await query(
    `SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS finished, logs
     FROM ${migrationsTable} WHERE rolled_back_at IS NULL ORDER BY started_at, id`,
  );
  return z.array(recordSchema).parse(rows);
}

function selectPending(migrations: Migration[], records: MigrationRecord[]): Migration[] {
  const known = new Map(migrations.map((migration) => [migration.name, migration]));
  const [first] = records;
  if (first && !records.some(({ name }) => known.has(name))) throw strangersError(first.name);
  for (const { name, checksum: stored, finished, logs } of records) {
    if (!finished) throw failedError(name, logs);
    const migration = known.get(name);
    if (!migration) throw unknownError(name);
    if (!possibleChecksums(migration.script).includes(stored)) {
      throw new MigrationError(
        `The migration ${name} was changed after it had been applied to this database. ` +
          'Restore its file as it was, and put the change into a new migration.',
      );
    }
  }
  const done = new Set(records.map(({ name }) => name));
  return migrations.filter(({ name }) => !done.has(name));
}
