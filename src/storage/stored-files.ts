import { database } from '../database/client';
import { Prisma } from '../database/generated/client';
import { instant } from '../database/sql';
import { publicBase } from './storage';
import { isInStorage, isInUse } from './use';

/** How long a row has to name an uploaded file. */
const unnamedHours = 24;

/** Files looked at by one statement. */
const batchSize = 100;

type Uploaded = { accountId: string; key: string };

/** Notes a file that is about to be stored. */
export async function noteStoredFile(file: Uploaded & { bytes: number }): Promise<void> {
  const { accountId, key, bytes } = file;
  await database().storedFile.create({
    data: { key, url: publicBase() + key, userId: accountId, bytes },
  });
}

/** Queues a file for removal, of which storing failed: some of it may be there. */
export async function queueNotStored(file: Uploaded): Promise<void> {
  await queueWhere(Prisma.sql`TRUE`, file);
}

/**
 * Queues a stored file for removal where it is noted no more: its account was deleted while it was on
 * its way, and what removed its files has found none. Returns whether it did.
 */
export async function queueWhereForgotten(file: Uploaded): Promise<boolean> {
  const isForgotten = Prisma.sql`NOT EXISTS (SELECT FROM stored_files WHERE key = ${file.key})`;
  return (await queueWhere(isForgotten, file)) > 0;
}

function queueWhere(condition: Prisma.Sql, { accountId, key }: Uploaded): Promise<number> {
  return database().$executeRaw`
    INSERT INTO file_removals (key, url, user_id)
    SELECT ${key}, ${publicBase() + key}, ${accountId}::uuid WHERE ${condition}
    ON CONFLICT (key) DO NOTHING`;
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
