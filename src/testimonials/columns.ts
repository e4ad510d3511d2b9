import type { SortKey } from '../api/cursor';
import { Prisma } from '../database/generated/client';
import { type Columns, selectList } from '../database/sql/columns';
import { type Include, includes, type Testimonial, type Transcription } from './schema';

/**
 * The columns of a testimonial that go on the wire. Statements that read and write testimonials
 * are made of this record and the schemas' fields, and name no column by themselves.
 */
export const columns = {
  id: 'uuid',
  space_id: 'uuid',
  user_id: 'uuid',
  type: 'testimonial_type',
  status: 'testimonial_status',
  submitter_name: 'text',
  submitter_email: 'text',
  submitter_company: 'text',
  submitter_role: 'text',
  submitter_avatar_url: 'text',
  text_content: 'text',
  video_url: 'text',
  video_thumbnail_url: 'text',
  rating: 'smallint',
  ai_transcript: 'text',
  shares: 'integer',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
  external_id: 'text',
} as const satisfies Columns<Testimonial>;

export const columnNames = Object.keys(columns);

/** Whether a row may be without a value of what lists are sorted by. */
export const isNullable = {
  created_at: false,
  updated_at: false,
  rating: true,
  shares: false,
} as const satisfies {
  [Key in SortKey]: Testimonial[Key] extends NonNullable<Testimonial[Key]> ? false : true;
};

/** The columns of `testimonials t` as they go on the wire. */
export const wireColumns = selectList(columns, 't');

type OptionalName = {
  [Name in keyof Testimonial]-?: undefined extends Testimonial[Name] ? Name : never;
}[keyof Testimonial];

/**
 * The field that a testimonial has on the wire only where its column has a value. A second one does
 * not compile: `onWire` and the data of events would write null for it.
 */
export const optionalName: [OptionalName] extends ['external_id'] ? 'external_id' : never =
  'external_id';

/**
 * Makes rows what they are on the wire. In place, and without a copy: lists are read more often than
 * anything else.
 */
export function onWire<Row extends { external_id?: string | null | undefined }>(
  rows: Row[],
): Row[] {
  // JSON leaves out what is undefined.
  for (const row of rows) if (row.external_id === null) row.external_id = undefined;
  return rows;
}

/** The columns beside them that are shown to those who ask. */
export const askedColumns = {
  transcription: 'transcription_state',
  language: 'text',
} as const satisfies Columns<Transcription>;

/** As `wireColumns`, of those. */
export const transcriptionColumns = selectList(askedColumns, 't');

/** The columns of `testimonials t` for a read that may ask for more. */
export function readColumns(include: Include | undefined): Prisma.Sql {
  return includes(include, 'transcription')
    ? Prisma.sql`${wireColumns}, ${transcriptionColumns}`
    : wireColumns;
}

/** What the data of `testimonial.updated` has. */
export const updatedFields = [...columnNames, 'previous_status', ...Object.keys(askedColumns)];
