import { ApiError } from '../api/errors';
import type { Principal } from '../api/principal';
import { largeReadCharacters, requireSmall } from '../database/connections/large-reads';
import { Prisma } from '../database/generated/client';
import { readRows } from '../database/read-rows';
import type { AccountState } from '../database/replicas/replicas';
import { assignments, nameList, valueList } from '../database/sql/columns';
import type { Writer } from '../database/writer';
import { changed, emit } from '../outbox/emit';
import type { EventType } from '../outbox/event-types';
import { fileColumns } from '../storage/file-references';
import { queueRemovals } from '../storage/removal-queue';
import { keepLeftBehind } from '../storage/stored-files';
import { enqueueTranscriptions } from '../transcription/queue';
import {
  columnNames,
  columns,
  onWire,
  optionalName,
  readColumns,
  transcriptionColumns,
  updatedFields,
  wireColumns,
} from './columns';
import {
  type CreateTestimonialInput,
  createTestimonialInput,
  type Include,
  type IncludingTestimonial,
  type Testimonial,
  type TestimonialChanges,
} from './schema';

/** The wire columns once selected under their names. */
const wireNames = nameList(columnNames);

const insertedNames = createTestimonialInput.keyof().options;

/** @throws ApiError TESTIMONIAL_NOT_FOUND */
export async function getTestimonial(
  of: AccountState,
  id: string,
  include?: Include,
): Promise<IncludingTestimonial> {
  const query = Prisma.sql`
    SELECT ${readColumns(include)} FROM testimonials t
    WHERE t.id = ${id}::uuid AND t.user_id = ${of.accountId}::uuid`;
  const rows = await readRows<IncludingTestimonial>(query, { of });
  return onWire(rows)[0] ?? notFound();
}

/**
 * Inserts the testimonial and emits `testimonial.created`, whatever its status. With a token, its
 * video is to be transcribed, and the caller makes the first try under that lease.
 * @throws ApiError SPACE_NOT_FOUND when the space is not the account's
 */
export async function createTestimonial(
  accountId: string,
  input: CreateTestimonialInput,
  { writeOnce }: Writer,
  token?: string,
): Promise<Testimonial> {
  const transcription = Prisma.sql`${token ? 'pending' : 'none'}::transcription_state`;
  const expressions = (condition: Prisma.Sql) => Prisma.sql`
    space AS (
      SELECT id, user_id FROM spaces
      WHERE id = ${input.space_id}::uuid AND user_id = ${accountId}::uuid ${condition}
      FOR KEY SHARE
    ),
    inserted AS (
      INSERT INTO testimonials AS t
        (user_id, event_sequence, transcription, ${nameList(insertedNames)})
      SELECT space.user_id, 1, ${transcription}, ${valueList(columns, insertedNames, input)}
      FROM space
      RETURNING ${wireColumns}, t.event_sequence, t.transcription
    ),
    ${token ? Prisma.sql`${enqueueTranscriptions('inserted', token)},` : Prisma.empty}
    ${changed('inserted', columnNames, { optional: optionalName })},
    ${emit(['testimonial.created', 'changed'])}`;
  // The data of the event is the testimonial, written as the answer is.
  const answer = { text: `'{"data":' || data || '}'`, from: 'emitted' };
  const rows = await writeOnce<Testimonial>({
    expressions,
    columns: wireNames,
    from: 'inserted',
    answer,
  });
  const [row] = onWire(rows);
  if (!row) throw new ApiError('SPACE_NOT_FOUND');
  return row;
}

/** @throws ApiError TESTIMONIAL_NOT_FOUND */
export async function updateTestimonial(
  accountId: string,
  id: string,
  changes: TestimonialChanges,
  writer: Writer,
): Promise<Testimonial> {
  const [row] = await updateTestimonials(accountId, [id], changes, writer);
  return row ?? notFound();
}

/**
 * Changes every listed testimonial of the account, others skipped, and returns them in the order
 * of `ids`. Each emits one event: that of the status it is set to, also where the status stays what
 * it was, else `testimonial.updated`; the event's data carries `previous_status`. Contract, section 3.
 */
export async function updateTestimonials(
  accountId: string,
  ids: string[],
  changes: TestimonialChanges,
  { write }: Writer,
): Promise<Testimonial[]> {
  const eventType = changes.status ? statusEvents[changes.status] : 'testimonial.updated';
  const rows = await write<Testimonial>(Prisma.sql`
    WITH ${lockedTestimonials(accountId, ids)},
    updated AS (
      UPDATE testimonials t SET ${Prisma.join(assignments(columns, changes))},
        event_sequence = t.event_sequence + 1
      FROM locked WHERE t.id = locked.id
      RETURNING ${wireColumns}, ${transcriptionColumns}, t.event_sequence, locked.previous_status
    ),
    ${changed('updated', eventFields(eventType), { optional: optionalName })},
    ${emit([eventType, 'changed'])}
    SELECT ${wireNames} FROM updated ORDER BY array_position(${ids}::uuid[], id)`);
  return onWire(rows);
}

/**
 * Looks, before anything is changed, at the sizes of what a batch will answer; a long text is not read
 * for it. Costs no statement where the account has not as much.
 * @throws LargeReadError where the rows need room that was not made
 */
export async function requireSmallBatch(
  { accountId, storedBytes }: Pick<Principal, 'accountId' | 'storedBytes'>,
  ids: string[],
): Promise<void> {
  if (storedBytes !== undefined && storedBytes <= largeReadCharacters) return;
  const [row] = await readRows<{ bytes: number }>(Prisma.sql`
    SELECT coalesce(sum(octet_length(text_content)), 0)::int
      + coalesce(sum(octet_length(ai_transcript)), 0)::int AS bytes
    FROM testimonials WHERE id = ANY (${ids}::uuid[]) AND user_id = ${accountId}::uuid`);
  requireSmall(row?.bytes ?? 0);
}

/**
 * Deletes the testimonial and queues its uploaded files for removal. Contract, section 4.
 * @throws ApiError TESTIMONIAL_NOT_FOUND
 */
export async function deleteTestimonial(
  accountId: string,
  id: string,
  writer: Writer,
): Promise<void> {
  const deleted = await deleteLocked(accountId, [id], writer, { withFiles: true });
  if (deleted === 0) notFound();
}

/**
 * Deletes every listed testimonial of the account, others skipped. Returns how many it deleted.
 * Their uploaded files stay. Contract, section 4.
 */
export function deleteTestimonials(
  accountId: string,
  ids: string[],
  writer: Writer,
): Promise<number> {
  return deleteLocked(accountId, ids, writer, { withFiles: false });
}

/** Emits `testimonial.deleted` for each row with the row as it was. */
async function deleteLocked(
  accountId: string,
  ids: string[],
  { write }: Writer,
  { withFiles }: { withFiles: boolean },
): Promise<number> {
  const ofFiles = withFiles ? queueRemovals : keepLeftBehind;
  const [row] = await write<{ deleted: number }>(Prisma.sql`
    WITH ${lockedTestimonials(accountId, ids)},
    deleted AS (
      DELETE FROM testimonials t USING locked WHERE t.id = locked.id
      RETURNING ${wireColumns}, t.event_sequence + 1 AS event_sequence
    ),
    files AS (${ofFiles(Prisma.raw('deleted'), fileColumns.testimonials)} RETURNING key),
    ${changed('deleted', columnNames, { optional: optionalName, after: 'files' })},
    ${emit(['testimonial.deleted', 'changed'])}
    SELECT count(*)::int AS deleted FROM deleted`);
  return row?.deleted ?? 0;
}

/** What setting a status emits. */
const statusEvents: Record<Testimonial['status'], EventType> = {
  pending: 'testimonial.updated',
  approved: 'testimonial.approved',
  rejected: 'testimonial.rejected',
};

/** What the data of an event about a changed testimonial has. */
function eventFields(type: EventType): string[] {
  return type === 'testimonial.updated' ? updatedFields : [...columnNames, 'previous_status'];
}

function notFound(): never {
  throw new ApiError('TESTIMONIAL_NOT_FOUND');
}

/** Locks in the order of the ids, so that two batches over the same rows never wait in a circle. */
function lockedTestimonials(accountId: string, ids: string[]): Prisma.Sql {
  return Prisma.sql`locked AS MATERIALIZED (
      SELECT t.id, t.status AS previous_status FROM testimonials t
      WHERE t.id = ANY (${ids}::uuid[]) AND t.user_id = ${accountId}::uuid
      ORDER BY t.id FOR UPDATE
    )`;
}
