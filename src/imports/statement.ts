import { Prisma } from '../database/generated/client';
import { type Columns, nameList } from '../database/sql/columns';
import { changed, emit } from '../outbox/emit';
import type { EventType } from '../outbox/event-types';
import { fileColumns } from '../storage/file-references';
import { queueRemovals } from '../storage/removal-queue';
import {
  columnNames,
  columns,
  optionalName,
  transcriptionColumns,
  updatedFields,
  wireColumns,
} from '../testimonials/columns';
import { enqueueTranscriptions, textHash } from '../transcription/queue';
import { speechToText } from '../transcription/speech-to-text';
import { type ImportedTestimonial, type ImportOptions, importedTestimonial } from './schema';

const itemNames = importedTestimonial.keyof().options;

const itemColumns: Columns<ImportedTestimonial> = columns;

/** An item and its place in the import, from 0. */
export type PlacedItem = ImportedTestimonial & {
  place: number;
  /** Whether its type is no reason to change that of a testimonial that is there. */
  leaves_type: boolean;
};

/** What became of an item; the fields beside `place` are null where they do not apply. */
export type Outcome = {
  place: number;
  /** The field for which it was refused. */
  refused: 'space_id' | 'created_at' | null;
  /** An earlier item has its external id. */
  is_repeated: boolean | null;
  created_id: string | null;
  updated_id: string | null;
  /** Of the testimonial that had the external id before. */
  found_id: string | null;
};

/** How far a client's clock may be ahead of the database's. */
const clockTolerance = '5 minutes';

/**
 * The whole import as one statement, which returns an `Outcome` for each item. Where none of the ids
 * in it is set and nothing was wrong, another transaction has brought the same external id, or
 * deleted the testimonial that had it, since the statement began.
 *
 * Videos are transcribed by the job, where a speech-to-text service is configured.
 *
 * Of items and of what they meet, the planner must never think that they are few, or it compares each
 * with each: it knows the number of ids in an array, and takes half of the rows for a plain condition.
 *
 * Locks spaces, then testimonials by id, then waits for external ids in their order, then files that
 * are to be removed, and the row of the account last of all, as every write: so that no circle of
 * waiting arises.
 */
export function importStatement(
  accountId: string,
  items: PlacedItem[],
  { on_duplicate, events }: ImportOptions,
): Prisma.Sql {
  const isUpdate = on_duplicate === 'update';
  const externalIds = [...new Set(items.flatMap(({ external_id: id }) => id ?? []))];
  const account = Prisma.sql`${accountId}::uuid`;
  const waiting = speechToText() ? 'pending' : 'none';
  return Prisma.sql`
    WITH item AS MATERIALIZED (
      SELECT i.*, gen_random_uuid() AS id
      FROM json_to_recordset(${JSON.stringify(items)}::json) AS i(place integer, leaves_type boolean, ${itemTypes})
    ),
    own_space AS MATERIALIZED (
      SELECT s.id FROM spaces s
      WHERE s.user_id = ${account} AND s.id IN (SELECT space_id FROM item)
      ORDER BY s.id FOR KEY SHARE
    ),
    checked AS MATERIALIZED (
      SELECT item.*, CASE WHEN own_space.id IS NULL THEN 'space_id'
        WHEN item.created_at > statement_timestamp() + ${clockTolerance}::interval
          THEN 'created_at' END AS refused
      FROM item LEFT JOIN own_space ON own_space.id = item.space_id
    ),
    accepted AS MATERIALIZED (
      SELECT told.*, external_id IS NOT NULL
        AND row_number() OVER (PARTITION BY external_id ORDER BY place) > 1 AS is_repeated
      FROM (SELECT *, refused IS NULL AS is_accepted FROM checked OFFSET 0) told
      WHERE is_accepted
    ),
    found AS MATERIALIZED (${foundBy(account, externalIds, isUpdate)}),
    inserted AS (
      INSERT INTO testimonials AS t
        (id, user_id, event_sequence, transcription, ${nameList(itemNames)})
      SELECT a.id, ${account}, ${events ? 1 : 0}, (CASE
          WHEN a.ai_transcript IS NOT NULL THEN 'done'
          WHEN a.type = 'video' AND a.video_url IS NOT NULL THEN ${waiting}
          ELSE 'none' END)::transcription_state, ${insertedValues}
      FROM accepted a
      WHERE NOT a.is_repeated
        AND NOT EXISTS (SELECT FROM found WHERE found.external_id = a.external_id)
      ORDER BY a.external_id, a.place
      ON CONFLICT (user_id, external_id) WHERE external_id IS NOT NULL DO NOTHING
      RETURNING ${wireColumns}, t.event_sequence, t.transcription
    )
    ${isUpdate ? Prisma.sql`, ${updates(events, waiting)}` : Prisma.empty}
    ${waiting === 'pending' ? Prisma.sql`, ${transcriptions(isUpdate)}` : Prisma.empty}
    ${events ? Prisma.sql`, ${eventsOf(account, isUpdate)}` : Prisma.empty}
    SELECT checked.place, checked.refused, accepted.is_repeated, inserted.id AS created_id,
      ${Prisma.raw(isUpdate ? 'updated.id' : 'NULL::uuid')} AS updated_id, found.id AS found_id
    FROM checked
    LEFT JOIN accepted ON accepted.id = checked.id
    LEFT JOIN inserted ON inserted.id = checked.id
    LEFT JOIN found ON found.external_id = accepted.external_id AND NOT accepted.is_repeated
    ${isUpdate ? Prisma.raw('LEFT JOIN updated ON updated.place = checked.place') : Prisma.empty}
    ORDER BY checked.place`;
}

/**
 * The testimonials of the account that have an external id of the import; to be updated, whole and
 * locked. Each id is looked up by itself: asked for all at once, Postgres may read every external id
 * that the account has, as its statistics say nothing of one account.
 */
function foundBy(account: Prisma.Sql, externalIds: string[], isUpdate: boolean): Prisma.Sql {
  const found = Prisma.sql`unnest(${externalIds}::text[]) AS given (external_id), LATERAL (
      SELECT t.id, t.external_id FROM testimonials t
      WHERE t.user_id = ${account} AND t.external_id = given.external_id OFFSET 0
    ) known`;
  return isUpdate
    ? Prisma.sql`
      SELECT t.* FROM ${found} JOIN testimonials t ON t.id = known.id ORDER BY t.id FOR UPDATE OF t`
    : Prisma.sql`SELECT known.* FROM ${found}`;
}

const itemTypes = Prisma.raw(itemNames.map((name) => `${name} ${itemColumns[name]}`).join(', '));

/** What a new row has where its item says nothing; NULL where it is not here. */
const defaults: Partial<Record<keyof ImportedTestimonial, string>> = {
  status: `'pending'`,
  created_at: 'now()',
};

const insertedValues = Prisma.raw(
  itemNames
    .map((name) => (defaults[name] ? `coalesce(a.${name}, ${defaults[name]})` : `a.${name}`))
    .join(', '),
);

/** What becomes of a field where its item says nothing; unless it is here, it stays as it is. */
const kept: Partial<Record<keyof ImportedTestimonial, string>> = {
  ai_transcript: 'CASE WHEN NOT change.has_lost_video THEN t.ai_transcript END',
  text_content: `CASE WHEN t.text_content = t.ai_transcript
      AND (change.ai_transcript IS NOT NULL OR change.has_lost_video AND change.is_other_video)
    THEN change.ai_transcript ELSE t.text_content END`,
};

/**
 * The text that an item gives. None where it is the one that the transcript of this very video has
 * replaced: the same item, sent again, must change nothing.
 */
const givenText = `CASE WHEN f.replaced_text_hash = ${textHash('a.text_content').sql}
      AND f.text_content = f.ai_transcript AND a.ai_transcript IS NULL
      AND after.video IS NOT DISTINCT FROM before.video
    THEN NULL ELSE a.text_content END AS given_text_content`;

const fileNames = fileColumns.testimonials;

/** The name under which a changed row says what a column named before. */
const formerly = (name: string) => `left_${name}`;

/**
 * What an item leaves out stays as it is, and a row that would stay as it is is not written. A video
 * that is replaced, or of which a text is made, takes along its transcript and what there is of its
 * transcription; a text that is the transcript follows it. Replaced files are removed where nothing
 * else names them.
 */
function updates(events: boolean, waiting: 'pending' | 'none'): Prisma.Sql {
  const given = (row: string, name: string) =>
    name === 'text_content' || name === 'type' ? `given_${name}` : `${row}.${name}`;
  const assigned = itemNames.map(
    (name) => `${name} = coalesce(${given('change', name)}, ${kept[name] ?? `t.${name}`})`,
  );
  const differs = itemNames.map((name) => {
    const value = given('a', name);
    return `${value} <> f.${name} OR ${value} IS NOT NULL AND f.${name} IS NULL`;
  });
  const replaced = fileNames.map(
    (name) => `CASE WHEN a.${name} <> f.${name} THEN f.${name} END AS ${formerly(name)}`,
  );
  const updated = Prisma.raw(`updated AS (
      UPDATE testimonials t SET ${assigned.join(', ')},
        event_sequence = t.event_sequence + ${events ? 1 : 0},
        language = CASE WHEN NOT change.has_lost_video
          AND coalesce(change.ai_transcript = t.ai_transcript, true) THEN t.language END,
        transcription = CASE WHEN change.ai_transcript IS NOT NULL THEN 'done'
          WHEN change.is_other_video THEN '${waiting}'
          WHEN change.has_lost_video THEN 'none' ELSE t.transcription END
      FROM (
        SELECT a.*, given_text_content, given_type, f.id AS found_id, f.status AS previous_status, ${replaced.join(', ')},
          after.video IS NOT NULL AND after.video IS DISTINCT FROM before.video AS is_other_video,
          before.video IS NOT NULL AND after.video IS DISTINCT FROM before.video AS has_lost_video
        FROM accepted a JOIN found f ON f.external_id = a.external_id,
        LATERAL (SELECT CASE WHEN NOT a.leaves_type THEN a.type END AS given_type) kind,
        LATERAL (SELECT CASE WHEN f.type = 'video' THEN f.video_url END AS video) before,
        LATERAL (
          SELECT CASE WHEN coalesce(given_type, f.type) = 'video'
            THEN coalesce(a.video_url, f.video_url) END AS video
        ) after,
        LATERAL (SELECT ${givenText}) text
        WHERE NOT a.is_repeated AND (${differs.join(' OR ')})
      ) change
      WHERE t.id = change.found_id
      RETURNING ${wireColumns.sql}, ${transcriptionColumns.sql}, t.event_sequence,
        change.previous_status, change.is_other_video, change.place,
        ${fileNames.map((name) => `change.${formerly(name)}`).join(', ')}
    )`);
  const files = fileNames.map((name) => `${formerly(name)} AS ${name}`).join(', ');
  const rows = Prisma.raw(`(SELECT user_id, ${files} FROM updated)`);
  return Prisma.sql`${updated}, removal AS (${queueRemovals(rows, fileNames)} RETURNING key)`;
}

/** A job for each video that is new, or another than before. */
function transcriptions(isUpdate: boolean): Prisma.Sql {
  const fields = 'id, user_id, text_content, transcription';
  const others = `UNION ALL SELECT ${fields} FROM updated WHERE is_other_video`;
  return Prisma.sql`
    video AS (
      SELECT ${Prisma.raw(fields)} FROM inserted ${Prisma.raw(isUpdate ? others : '')}
    ),
    ${enqueueTranscriptions('video')}`;
}

/** Of changed rows: a status that became another has its event, any other change the common one. */
const updateEvents: [EventType, condition: string][] = [
  ['testimonial.approved', `status = 'approved' AND previous_status <> 'approved'`],
  ['testimonial.rejected', `status = 'rejected' AND previous_status <> 'rejected'`],
  ['testimonial.updated', `status = 'pending' OR status = previous_status`],
];

function eventsOf(account: Prisma.Sql, isUpdate: boolean): Prisma.Sql {
  const sources = [
    sourceOf('testimonial.created', 'inserted', 'true', { fields: columnNames, account }),
    ...(isUpdate ? updateEvents : []).map(([type, condition]) =>
      sourceOf(type, 'updated', condition, {
        fields:
          type === 'testimonial.updated' ? updatedFields : [...columnNames, 'previous_status'],
        account,
        after: 'removal',
      }),
    ),
  ];
  return Prisma.sql`${Prisma.join(sources.map(({ source }) => source))},
    ${emit(...sources.map(({ event }) => event))}`;
}

/** The events of a type, of the rows of an expression that meet a condition. */
function sourceOf(
  type: EventType,
  rows: string,
  condition: string,
  { fields, account, ...after }: { fields: string[]; account: Prisma.Sql; after?: string },
): { source: Prisma.Sql; event: [EventType, string] } {
  const chosen = type.replace('.', '_');
  const name = `${chosen}_event`;
  // The account is said once more for the planner, which else looks for events of many accounts.
  const source = Prisma.sql`
    ${Prisma.raw(chosen)} AS (
      SELECT * FROM ${Prisma.raw(rows)} WHERE user_id = ${account} AND (${Prisma.raw(condition)})
    ),
    ${changed(chosen, fields, { name, optional: optionalName, ...after })}`;
  return { source, event: [type, name] };
}
