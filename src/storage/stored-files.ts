import { database } from '../database/client';
import { Prisma } from '../database/generated/client';
import { instant } from '../database/sql/instants';
import { isInStorage, isInUse, namedFiles } from './file-references';
import { keyAtEnd } from './key';
import { publicBase } from './storage';

/** How long a row has to name an uploaded file. */
const unnamedHours = 24;

/** Longer than it takes to store a file that was noted. */
const onItsWayMinutes = 10;

/** Files looked at by one statement. */
const batchSize = 100;

type Uploaded = { accountId: string; key: string };

/**
 * Notes a file that is about to be stored, and queues its removal, which `keepStored` takes back: so it
 * goes where this process is killed before, whatever has become of its account meanwhile.
 */
export async function noteStoredFile(file: Uploaded & { bytes: number }): Promise<void> {
  const { accountId, key, bytes } = file;
  const url = publicBase() + key;
  await database().$executeRaw`
    WITH noted AS (
      INSERT INTO stored_files (key, url, user_id, bytes)
      VALUES (${key}, ${url}, ${accountId}::uuid, ${bytes}::bigint)
    )
    INSERT INTO file_removals (key, url, user_id, next_attempt_at)
    VALUES (${key}, ${url}, ${accountId}::uuid,
      clock_timestamp() + make_interval(mins => ${onItsWayMinutes}::int))`;
}

/** The file of the account that was uploaded at this address, where the configured storage has it. */
export async function findStoredFile(
  accountId: string,
  url: string,
): Promise<{ key: string; bytes: number } | undefined> {
  const key = keyAtEnd(url);
  if (key === undefined) return undefined;
  const [file] = await database().$queryRaw<{ bytes: bigint }[]>`
    SELECT bytes FROM stored_files
    WHERE key = ${key} AND url = ${url} AND user_id = ${accountId}::uuid
      AND ${isInStorage('stored_files')}`;
  return file && { key, bytes: Number(file.bytes) };
}

/** Has a file removed at once, of which storing failed: some of it may be there. */
export async function removeNotStored(file: Uploaded): Promise<void> {
  await queueRemovalNow(file, Prisma.sql`TRUE`);
}

/**
 * Takes the removal of a stored file back. Returns whether it did: not, where its account was closed
 * while it was on its way, or it took so long that a removal was begun. Then what is there goes at once.
 */
export async function keepStored(file: Uploaded): Promise<boolean> {
  const taken = Prisma.sql`
    WITH taken AS (
      DELETE FROM file_removals removal USING users
      WHERE removal.key = ${file.key} AND removal.attempt_count = 0
        AND users.id = removal.user_id AND users.closed_at IS NULL
      RETURNING 1
    )`;
  return (await queueRemovalNow(file, Prisma.sql`NOT EXISTS (SELECT FROM taken)`, taken)) === 0;
}

/** Anew: a try that is under way may have come before the file, and must not end this one. */
function queueRemovalNow(
  { accountId, key }: Uploaded,
  condition: Prisma.Sql,
  before = Prisma.empty,
): Promise<number> {
  return database().$executeRaw`${before}
    INSERT INTO file_removals (key, url, user_id)
    SELECT ${key}, ${publicBase() + key}, ${accountId}::uuid WHERE ${condition}
    ON CONFLICT (key) DO UPDATE SET attempt_count = 0, next_attempt_at = excluded.next_attempt_at`;
}

/**
 * Looks at the files uploaded a day ago, each once, and queues for removal those that no row of
 * their account names: a form that was never sent, a process that was killed in between. Up to 100
 * at a time; returns whether there may be more. Those of a storage other than the one configured
 * wait until that is configured again.
 */
export async function queueUnnamed(now?: Date): Promise<{ isFull: boolean }> {
  const at = instant(now);
  const [row] = await database().$queryRaw<{ checked: number }[]>`
    WITH old AS MATERIALIZED (
      SELECT key FROM stored_files
      WHERE checked_at IS NULL AND ${isInStorage('stored_files')}
        AND created_at <= ${at} - make_interval(hours => ${unnamedHours}::int)
      ORDER BY created_at LIMIT ${batchSize}
      FOR UPDATE SKIP LOCKED
    ),
    checked AS (
      UPDATE stored_files file SET checked_at = ${at} FROM old WHERE file.key = old.key
      RETURNING file.key, file.url, file.user_id
    ),
    queued AS (
      INSERT INTO file_removals (key, url, user_id)
      SELECT key, url, user_id FROM checked WHERE NOT ${isInUse('checked')} ORDER BY key
      ON CONFLICT (key) DO NOTHING
    )
    SELECT count(*)::int AS checked FROM checked`;
  return { isFull: row?.checked === batchSize };
}

/**
 * The statement that keeps the files of `rows`, whose rows go without them, from being looked at later,
 * to stand in the transaction that deletes the rows; those and `columns` as for `namedFiles`. It waits
 * for nobody, as a move of files locks these before the rows: one that is being moved meanwhile is left out.
 */
export function keepLeftBehind(rows: Prisma.Sql, columns: readonly string[]): Prisma.Sql {
  return Prisma.sql`
    UPDATE stored_files SET checked_at = clock_timestamp() WHERE key IN (
      SELECT stored.key FROM stored_files stored, ${namedFiles(rows, columns)} file
      WHERE stored.key = file.key AND stored.user_id = file.user_id AND stored.checked_at IS NULL
      FOR UPDATE OF stored SKIP LOCKED
    )`;
}
