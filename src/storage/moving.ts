import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { database, longTransaction } from '../database/client';
import { Prisma } from '../database/generated/client';
import { env } from '../env';
import { codeOf, reasonOf } from '../error-parts';
import { flush } from '../file-system/flush';
import { withUnfinished } from '../file-system/unfinished';
import { fileColumns, indexedCharacters, storedUrlPattern } from './file-references';
import { contentTypeOf, isKey } from './key';
import { describeLocal, localPath } from './local';
import { configuredBucket, localBase, publicBase } from './storage';
import { incomingPath } from './whole-file';

/** Files that are looked up at once. */
const batchSize = 100;

type StoredFile = { key: string; url: string; user_id: string; bytes: bigint };
type FoundFile = StoredFile & { is_moved: boolean; is_named_before: boolean };
type Bucket = ReturnType<typeof configuredBucket>;
type MoveTotals = { moved: number; missing: number };

/**
 * Copies every uploaded file from the data folder to the configured bucket, or back, and gives it its
 * new address in all rows of its account, each file for itself: once more goes on where it was, unless
 * both places have one address. The files stay at the old place. Missing are those that are not there.
 * @throws Error where no bucket is configured, or it refuses, or has a file of another size than was
 *   uploaded, or a file cannot be read
 */
export async function moveFiles(
  to: 'bucket' | 'folder',
  onMoved: (totals: MoveTotals) => void,
): Promise<MoveTotals> {
  const bucket = configuredBucket();
  const copy = to === 'bucket' ? copyToBucket : copyToFolder;
  const [former, base] =
    to === 'bucket' ? [localBase(), publicBase()] : [publicBase(), localBase()];
  const totals = { moved: 0, missing: 0 };
  for await (const { is_moved, is_named_before, ...file } of filesByKey(former, base)) {
    // A form that was open as its file was moved has had the address from before stored since.
    if (is_moved && !is_named_before) continue;
    const isThere =
      isKey(file.key) && (is_moved || (await copy(bucket, file).catch(rethrowNaming(file.key))));
    if (!isThere) {
      totals.missing++;
      continue;
    }
    const url = is_moved ? former + file.key : file.url;
    if (!(await readdress({ ...file, url }, base + file.key))) continue;
    totals.moved++;
    onMoved(totals);
  }
  return totals;
}

/** All files, in the order of their keys, each batch looked up once those before it are done. */
async function* filesByKey(former: string, base: string): AsyncGenerator<FoundFile> {
  // Where both are read at one address, none tells which files were moved: all are copied each time.
  const isTold = former !== base;
  for (let last = ''; ; ) {
    const files = await database().$queryRaw<FoundFile[]>`
      SELECT key, url, user_id::text, bytes, ${isTold}::boolean AND url = ${base}::text || key AS is_moved,
        ${isTold}::boolean AND ${isNamedAt(former)} AS is_named_before
      FROM (
        SELECT * FROM stored_files WHERE key > ${last}::text ORDER BY key LIMIT ${batchSize}
      ) file
      ORDER BY key`;
    yield* files;
    if (files.length < batchSize) return;
    last = files.at(-1)?.key ?? last;
  }
}

/** False where the folder does not have it. */
async function copyToBucket(bucket: Bucket, { key }: StoredFile): Promise<boolean> {
  const { DATA_FOLDER } = env();
  const isThere = (await describeLocal(DATA_FOLDER, key)) !== undefined;
  if (isThere) await bucket.put(key, localPath(DATA_FOLDER, key), contentTypeOf(key));
  return isThere;
}

/** False where the bucket does not have it. */
async function copyToFolder(bucket: Bucket, { key, bytes }: StoredFile): Promise<boolean> {
  const path = localPath(env().DATA_FOLDER, key);
  const isThere = await putWhole(path, (incoming) => bucket.get(key, incoming, Number(bytes)));
  // Whoever has moved all may give up the bucket.
  if (isThere) await flush(path);
  return isThere;
}

/** What a folder gives that another run makes or removes at that moment. */
const takenAway = new Set(['ENOENT', 'ENOTDIR', 'ENOTEMPTY']);

/**
 * Has `get` write a file, which then stands at `path`. Another run may do the same at that moment: each
 * writes to a folder of its own, since of one file both would make a broken one, and all of them go with
 * whoever is first. What a killed one leaves goes so too, or with the file. Resolves to what `get` does.
 */
async function putWhole(
  path: string,
  get: (incoming: string) => Promise<boolean>,
): Promise<boolean> {
  const all = incomingPath(path);
  const own = join(all, randomUUID());
  try {
    const isThere = await withUnfinished(own, async () => {
      // What a storing process left that was killed is a file.
      await unlink(all).catch(() => {});
      await mkdir(own, { recursive: true });
      const incoming = join(own, 'file');
      const isWritten = await get(incoming);
      if (isWritten) await rename(incoming, path);
      return isWritten;
    });
    if (isThere) await rm(all, { recursive: true, force: true });
    return isThere;
  } catch (error) {
    if (takenAway.has(codeOf(error) ?? '') && existsSync(path)) return true;
    throw error;
  } finally {
    // Others may still be in it.
    await rmdir(all).catch(() => {});
  }
}

/** Neither a full disk nor a bucket that is not reached says of which file it was. */
function rethrowNaming(key: string): (error: unknown) => never {
  return (error) => {
    throw new Error(`The file ${key} cannot be moved: ${reasonOf(error)}`, { cause: error });
  };
}

/**
 * By the indexes of `fileColumns`. What was said of the rows before, as events, stays as it was. False where
 * the file was removed while it was copied: its copy is queued for removal then.
 *
 * All rows are locked first, in the order in which others lock them, and the account's comes last, with
 * the triggers of what is changed: no two wait for each other.
 */
async function readdress({ key, url, user_id }: StoredFile, next: string): Promise<boolean> {
  const own = Prisma.sql`user_id = ${user_id}::uuid`;
  // Nothing to change in rows that have it already.
  const naming = url === next ? [] : Object.entries(fileColumns);
  const tables = naming.map(([table, columns]) => ({
    table: Prisma.raw(table),
    columns: columns.map((column) => {
      const name = Prisma.raw(column);
      return { name, isUrl: hasUrl(name, Prisma.sql`${url}::text`) };
    }),
  }));
  return longTransaction(async (execute) => {
    await execute(Prisma.sql`SELECT FROM stored_files WHERE key = ${key} FOR NO KEY UPDATE`);
    for (const { table, columns } of tables) {
      const ids = columns.map(
        ({ isUrl }) => Prisma.sql`SELECT id FROM ${table} WHERE ${own} AND ${isUrl}`,
      );
      await execute(Prisma.sql`
        SELECT FROM ${table} WHERE ${own} AND id = ANY (ARRAY(${Prisma.join(ids, ' UNION ')}))
        ORDER BY id FOR NO KEY UPDATE`);
    }
    // Anew: a try that is under way removes the file at the old place alone, and must not end this one.
    await execute(Prisma.sql`
      UPDATE file_removals SET url = ${next}, attempt_count = 0 WHERE key = ${key}`);
    for (const { table, columns } of tables) {
      for (const { name, isUrl } of columns) {
        await execute(Prisma.sql`UPDATE ${table} SET ${name} = ${next} WHERE ${own} AND ${isUrl}`);
      }
    }
    await execute(Prisma.sql`
      UPDATE users SET image = ${next} WHERE id = ${user_id}::uuid AND image = ${url}`);
    const stored = Prisma.sql`UPDATE stored_files SET url = ${next} WHERE key = ${key}`;
    if ((await execute(stored)) > 0) return true;
    await execute(Prisma.sql`
      INSERT INTO file_removals (key, url, user_id) VALUES (${key}, ${next}, ${user_id}::uuid)
      ON CONFLICT (key) DO UPDATE SET url = excluded.url, attempt_count = 0`);
    return false;
  });
}

/** Whether a column has the address, by its index. */
function hasUrl(column: Prisma.Sql, url: Prisma.Sql): Prisma.Sql {
  const characters = Prisma.raw(String(indexedCharacters));
  return Prisma.sql`right(${column}, ${characters}) = right(${url}, ${characters})
    AND ${column} ~ ${Prisma.raw(`'${storedUrlPattern}'`)} AND ${column} = ${url}`;
}

/** Whether a row of its account names `file` at that base, as a condition. */
function isNamedAt(base: string): Prisma.Sql {
  const url = Prisma.sql`(${base}::text || file.key)`;
  const byRows = Object.entries(fileColumns).flatMap(([table, columns]) =>
    columns.map(
      (column) => Prisma.sql`EXISTS (
        SELECT FROM ${Prisma.raw(table)} named WHERE named.user_id = file.user_id
          AND ${hasUrl(Prisma.raw(`named.${column}`), url)})`,
    ),
  );
  const byUser = Prisma.sql`EXISTS (
    SELECT FROM users WHERE id = file.user_id AND image = ${url})`;
  return Prisma.sql`(${Prisma.join([...byRows, byUser], ' OR ')})`;
}
