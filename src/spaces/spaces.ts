import { randomBytes } from 'node:crypto';
import type { Walk } from '../api/cursor';
import { ApiError } from '../api/errors';
import { inHeavyTurn } from '../api/heavy-turns';
import { closePage, deepFrom, lateLookupFrom, openPage, type Page } from '../api/pagination';
import { inWriteTurn } from '../api/write-turns';
import { longTransaction } from '../database/client';
import { Prisma } from '../database/generated/client';
import { readHeavy } from '../database/read-heavy';
import { readRows } from '../database/read-rows';
import type { AccountState } from '../database/replicas/replicas';
import { assignments, nameList, valueList } from '../database/sql/columns';
import { orderBy, rowsAfter } from '../database/sql/keyset';
import type { Writer } from '../database/writer';
import type { Mode } from '../mode';
import { changed, emit } from '../outbox/emit';
import { fileColumns } from '../storage/file-references';
import { queueRemovals } from '../storage/removal-queue';
import { columnNames, columns, wireColumns } from './columns';
import {
  type CreateSpaceInput,
  createSpaceInput,
  type ListSpacesInput,
  type Space,
  type SpaceChanges,
} from './schema';
import { slugify } from './slug';

/** The wire columns once selected under their names. */
const wireNames = nameList(columnNames);

const insertedNames = createSpaceInput.keyof().options;

/**
 * One page of the account's spaces and the exact total, in one round trip. As in the list of
 * testimonials, what may have to go over all of them takes its turn: no index has the order of changes.
 * @throws ApiError VALIDATION_ERROR for a cursor of another list; and as `inHeavyTurn`
 */
export async function listSpaces(of: AccountState, input: ListSpacesInput) {
  const { accountId } = of;
  const walk = walkOf(accountId, input);
  const page = openPage(walk, input);
  // One row at least, and the page's order is kept.
  const query = Prisma.sql`
    SELECT counted.total, page.*
    FROM (SELECT space_count AS total FROM users WHERE id = ${accountId}::uuid) counted
    LEFT JOIN (${rowsOf(walk, page)}) page ON true`;
  const isHeavy = page.offset >= deepFrom || isByChange(walk);
  const rows = isHeavy
    ? await inHeavyTurn(accountId, () => readHeavy<PageRow>(query, { of }))
    : await readRows<PageRow>(query, { of });
  const data = rows.flatMap(({ total: _, ...row }) => (row.id === null ? [] : [row]));
  return closePage(walk, input, data, rows[0]?.total ?? 0);
}

type PageRow = { total: number } & (Space | { id: null });

/** What is skipped or sorted are ids alone: to write every row as it is answered takes ten times as long. */
function rowsOf(walk: Walk, { rowLimit, offset, after }: Page): Prisma.Sql {
  const order = orderBy(walk.sorting, 's');
  const position = after ? Prisma.join(rowsAfter(walk.sorting, 's', after)) : Prisma.sql`true`;
  const found = Prisma.sql`
    FROM spaces s WHERE s.user_id = ${walk.accountId}::uuid AND ${position}
    ORDER BY ${order} LIMIT ${rowLimit} OFFSET ${offset}`;
  return offset < lateLookupFrom && !isByChange(walk)
    ? Prisma.sql`SELECT ${wireColumns} ${found}`
    : Prisma.sql`
      SELECT ${wireColumns} FROM (SELECT s.id ${found}) found JOIN spaces s ON s.id = found.id
      ORDER BY ${order}`;
}

function isByChange({ sorting }: Walk): boolean {
  return sorting.column === 'updated_at';
}

/** Spaces have no rating and no shares: both order by creation. */
function walkOf(accountId: string, { sort_by, sort_order: direction }: ListSpacesInput): Walk {
  const column = sort_by === 'updated_at' ? 'updated_at' : 'created_at';
  const sorting = { column, type: columns[column], isNullable: false, direction } as const;
  return { list: 'spaces', accountId, filters: {}, sorting };
}

/** @throws ApiError SPACE_NOT_FOUND */
export async function getSpace(of: AccountState, id: string): Promise<Space> {
  const query = Prisma.sql`
    SELECT ${wireColumns} FROM spaces s
    WHERE s.id = ${id}::uuid AND s.user_id = ${of.accountId}::uuid`;
  const [row] = await readRows<Space>(query, { of });
  return row ?? notFound();
}

/**
 * Inserts the space and emits `space.created`. The slug is its own: the name's, with a random suffix
 * where that is taken, and in test mode always, lest it be taken where the space is made for good.
 */
export async function createSpace(
  of: { accountId: string; mode: Mode },
  input: CreateSpaceInput,
  writer: Writer,
): Promise<Space> {
  const { accountId, mode } = of;
  const slug = slugify(input.name);
  const plain = mode === 'live' ? await insertSpace(accountId, input, slug, writer) : undefined;
  return (
    plain ??
    (await insertSpace(accountId, input, `${slug}-${randomBytes(4).toString('hex')}`, writer)) ??
    createSpace(of, input, writer)
  );
}

/** Undefined where the slug is taken. */
async function insertSpace(
  accountId: string,
  input: CreateSpaceInput,
  slug: string,
  { write }: Writer,
) {
  const [row] = await write<Space>(Prisma.sql`
    WITH inserted AS (
      INSERT INTO spaces AS s (user_id, slug, event_sequence, ${nameList(insertedNames)})
      VALUES (${accountId}::uuid, ${slug}, 1, ${valueList(columns, insertedNames, input)})
      ON CONFLICT (slug) DO NOTHING
      RETURNING ${wireColumns}, s.event_sequence
    ),
    ${changed('inserted', columnNames)},
    ${emit(['space.created', 'changed'])}
    SELECT ${wireNames} FROM inserted`);
  return row;
}

/**
 * Emits `space.updated`, and queues an uploaded logo that is replaced for removal. The slug stays as it
 * is, so that published addresses keep working.
 *
 * Locked as if for deletion: two such statements that meet a row changed meanwhile lock the version
 * that they knew and the newest one, one after the other. With the key-share lock of a create between
 * them, which a weaker lock lets in, they would wait for each other.
 * @throws ApiError SPACE_NOT_FOUND
 */
export async function updateSpace(
  accountId: string,
  id: string,
  changes: SpaceChanges,
  { write }: Writer,
): Promise<Space> {
  const hasLogo = changes.logo_url !== undefined;
  const [row] = await write<Space>(Prisma.sql`
    WITH locked AS MATERIALIZED (
      SELECT s.id, s.user_id, s.logo_url FROM spaces s
      WHERE s.id = ${id}::uuid AND s.user_id = ${accountId}::uuid FOR UPDATE
    ),
    updated AS (
      UPDATE spaces s SET ${Prisma.join(assignments(columns, changes))},
        event_sequence = s.event_sequence + 1
      FROM locked WHERE s.id = locked.id
      RETURNING ${wireColumns}, s.event_sequence
    ),
    ${hasLogo ? replacedLogo() : Prisma.empty}
    ${changed('updated', columnNames, hasLogo ? { after: 'removal' } : {})},
    ${emit(['space.updated', 'changed'])}
    SELECT ${wireNames} FROM updated`);
  return row ?? notFound();
}

/** Queues the uploaded logo that the space had, where it has another one now. */
function replacedLogo(): Prisma.Sql {
  const before = Prisma.sql`(
      SELECT locked.user_id, locked.logo_url FROM locked JOIN updated ON updated.id = locked.id
      WHERE locked.logo_url <> updated.logo_url
    )`;
  return Prisma.sql`removal AS (${queueRemovals(before, fileColumns.spaces)} RETURNING key),`;
}

/**
 * Deletes the space and its testimonials, and emits `space.deleted` alone. Nothing happens where the
 * account has no such space.
 *
 * Four statements, each with a snapshot of its own: the space first, which keeps new testimonials
 * out; then its testimonials in the order in which batches lock them, so that no circle of waiting
 * arises; then their uploaded files, queued for removal; then the delete, whose cascade finds all of
 * them locked, and which queues the logo.
 */
export function deleteSpace(
  accountId: string,
  id: string,
  requireAccess?: () => Promise<void>,
): Promise<void> {
  return inWriteTurn(accountId, async () => {
    await requireAccess?.();
    await longTransaction(async (execute) => {
      await execute(Prisma.sql`
      SELECT id FROM spaces WHERE id = ${id}::uuid AND user_id = ${accountId}::uuid FOR UPDATE`);
      await execute(Prisma.sql`
      SELECT id FROM testimonials WHERE space_id = ${id}::uuid AND user_id = ${accountId}::uuid
      ORDER BY id FOR UPDATE`);
      await execute(
        queueRemovals(
          Prisma.sql`(
        SELECT user_id, ${nameList(fileColumns.testimonials)} FROM testimonials
        WHERE space_id = ${id}::uuid AND user_id = ${accountId}::uuid
      )`,
          fileColumns.testimonials,
        ),
      );
      await execute(Prisma.sql`
      WITH deleted AS (
        DELETE FROM spaces s WHERE s.id = ${id}::uuid AND s.user_id = ${accountId}::uuid
        RETURNING ${wireColumns}, s.event_sequence + 1 AS event_sequence
      ),
      removal AS (${queueRemovals(Prisma.sql`deleted`, fileColumns.spaces)} RETURNING key),
      ${changed('deleted', columnNames, { after: 'removal' })},
      ${emit(['space.deleted', 'changed'])}
      SELECT id FROM deleted`);
    });
  });
}

function notFound(): never {
  throw new ApiError('SPACE_NOT_FOUND');
}
