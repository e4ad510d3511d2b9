import { ApiError } from '../api/errors';
import { assignments, nameList, valueList } from '../database/columns';
import { Prisma } from '../database/generated/client';
import { readRows } from '../database/read-rows';
import { directWriter, type Writer } from '../database/writer';
import { changed, emit } from '../outbox/emit';
import type { EventType } from '../outbox/event-types';
import { queueRemovals } from '../storage/removal-queue';
import { columnNames, columns, wireColumns } from './columns';
import {
  type CreateTestimonialInput,
  createTestimonialInput,
  type Testimonial,
  type TestimonialChanges,
} from './schema';

/** The wire columns once selected under their names. */
const wireNames = nameList(columnNames);

const insertedNames = createTestimonialInput.keyof().options;

/** @throws ApiError TESTIMONIAL_NOT_FOUND */
export async function getTestimonial(accountId: string, id: string): Promise<Testimonial> {
  const [row] = await readRows<Testimonial>(Prisma.sql`
    SELECT ${wireColumns} FROM testimonials t
    WHERE t.id = ${id}::uuid AND t.user_id = ${accountId}::uuid`);
  return row ?? notFound();
}

/**
 * Inserts the testimonial and emits `testimonial.created`, whatever its status.
 * @throws ApiError SPACE_NOT_FOUND when the space is not the account's
 */
export async function createTestimonial(
  accountId: string,
  input: CreateTestimonialInput,
  { write }: Writer,
): Promise<Testimonial> {
  const [row] = await write<Testimonial>(Prisma.sql`
    WITH space AS (
      SELECT id, user_id FROM spaces
      WHERE id = ${input.space_id}::uuid AND user_id = ${accountId}::uuid
      FOR KEY SHARE
    ),
    inserted AS (
      INSERT INTO testimonials AS t (user_id, event_sequence, ${nameList(insertedNames)})
      SELECT space.user_id, 1, ${valueList(columns, insertedNames, input)} FROM space
      RETURNING ${wireColumns}, t.event_sequence
    ),
    ${changed('inserted', columnNames)},
    ${emit(['testimonial.created', 'changed'])}
    SELECT ${wireNames} FROM inserted`);
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
  const eventType = statusEvents[changes.status ?? 'pending'];
  return write<Testimonial>(Prisma.sql`
    WITH ${lockedTestimonials(accountId, ids)},
    updated AS (
      UPDATE testimonials t SET ${Prisma.join(assignments(columns, changes))},
        event_sequence = t.event_sequence + 1
      FROM locked WHERE t.id = locked.id
      RETURNING ${wireColumns}, t.event_sequence, locked.previous_status
    ),
    ${changed('updated', [...columnNames, 'previous_status'])},
    ${emit([eventType, 'changed'])}
    SELECT ${wireNames} FROM updated ORDER BY array_position(${ids}::uuid[], id)`);
}

/**
 * Saves the transcript of a testimonial's video as `ai_transcript` and `text_content`, and emits
 * `testimonial.updated`. False where the testimonial is gone, or has another video by now.
 */
export async function saveTranscript(
  accountId: string,
  { id, videoUrl, text }: { id: string; videoUrl: string; text: string },
): Promise<boolean> {
  const saved = await directWriter.write<{ id: string }>(Prisma.sql`
    WITH updated AS (
      UPDATE testimonials t SET ai_transcript = ${text}, text_content = ${text},
        event_sequence = t.event_sequence + 1
      WHERE t.id = ${id}::uuid AND t.user_id = ${accountId}::uuid AND t.video_url = ${videoUrl}
      RETURNING ${wireColumns}, t.event_sequence, t.status AS previous_status
    ),
    ${changed('updated', [...columnNames, 'previous_status'])},
    ${emit(['testimonial.updated', 'changed'])}
    SELECT id FROM updated`);
  return saved.length > 0;
}

/**
 * Deletes the testimonial and queues its uploaded files for removal. Contract, section 4.
 * @throws ApiError TESTIMONIAL_NOT_FOUND
 */
export async function deleteTestimonial(accountId: string, id: string): Promise<void> {
  const deleted = await deleteLocked(accountId, [id], directWriter, { withFiles: true });
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
  const removal = Prisma.sql`removal AS (${queueRemovals(Prisma.raw('deleted'))} RETURNING key),`;
  const [row] = await write<{ deleted: number }>(Prisma.sql`
    WITH ${lockedTestimonials(accountId, ids)},
    deleted AS (
      DELETE FROM testimonials t USING locked WHERE t.id = locked.id
      RETURNING ${wireColumns}, t.event_sequence + 1 AS event_sequence
    ),
    ${withFiles ? removal : Prisma.empty}
    ${changed('deleted', columnNames, withFiles ? 'removal' : undefined)},
    ${emit(['testimonial.deleted', 'changed'])}
    SELECT count(*)::int AS deleted FROM deleted`);
  return row?.deleted ?? 0;
}

/** What setting a status emits; what sets none changes the rest of the row. */
const statusEvents: Record<Testimonial['status'], EventType> = {
  pending: 'testimonial.updated',
  approved: 'testimonial.approved',
  rejected: 'testimonial.rejected',
};

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
