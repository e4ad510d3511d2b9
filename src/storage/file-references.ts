import { Prisma } from '../database/generated/client';
import { keyPatternParts } from './key';
import { isLocal, publicBase } from './storage';

/** How the address of an uploaded file ends. As in the partial indexes, letter by letter. */
export const storedUrlPattern = '/[0-9a-f-]{36}/[0-9a-f-]{36}[.][a-z0-9]{3,4}$';

/** The columns that name uploaded files, by their table, in the order in which their rows are locked. */
export const fileColumns = {
  spaces: ['logo_url'],
  testimonials: ['submitter_avatar_url', 'video_url', 'video_thumbnail_url'],
} as const;

/** How many characters of its end the indexes hold. */
export const indexedCharacters = 42;

/**
 * The addresses in `columns` (trusted text) of `rows`, a FROM item with these and user_id, as a FROM
 * item with url, user_id and key: what the address ends with, where that has the form of a key.
 */
export function namedFiles(rows: Prisma.Sql, columns: readonly string[]): Prisma.Sql {
  const { atEnd, characters } = keyPatternParts;
  return Prisma.sql`(
      SELECT used.url, owner.user_id,
        substring(right(used.url, ${characters}::int + 1) FROM ${atEnd}::text) AS key
      FROM ${rows} owner, LATERAL (
        VALUES ${Prisma.raw(columns.map((column) => `(owner.${column})`).join(', '))}
      ) used(url)
    )`;
}

/**
 * Whether a file is in the storage that is configured, as a condition. `file` as for `isInUse`. One in
 * the data folder has the address that the service had when it was uploaded: any origin counts.
 */
export function isInStorage(file: string): Prisma.Sql {
  const [key, url] = [Prisma.raw(`${file}.key`), Prisma.raw(`${file}.url`)];
  // All of it: another storage may be read at an address below this one.
  const isHere = Prisma.sql`${url} = ${publicBase()}::text || ${key}`;
  if (!isLocal()) return isHere;
  return Prisma.sql`(${isHere} OR regexp_replace(${url}, '^https?://[^/]+/files/', '') = ${key})`;
}

/**
 * Whether a row of the file's own account names it, at whatever address, as a condition. What other
 * accounts name does not count: they could keep a file for good. `file` is trusted text, the name of a
 * FROM item with the columns user_id, key and url.
 */
export function isInUse(file: string): Prisma.Sql {
  const named = (table: string, column: string) => `EXISTS (
      SELECT FROM ${table} WHERE ${table}.user_id = ${file}.user_id
        AND right(${table}.${column}, ${indexedCharacters}) = right(${file}.url, ${indexedCharacters})
        AND ${table}.${column} ~ '${storedUrlPattern}'
        AND right(${table}.${column}, length(${file}.key) + 1) = '/' || ${file}.key
    )`;
  const byRows = Object.entries(fileColumns).flatMap(([table, columns]) =>
    columns.map((column) => named(table, column)),
  );
  return Prisma.raw(`(
    ${byRows.join(' OR ')}
    OR EXISTS (SELECT FROM users WHERE users.id = ${file}.user_id AND users.image = ${file}.url)
  )`);
}
