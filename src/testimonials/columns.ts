import { Prisma } from '../database/generated/client';
import { wireInstantColumn } from '../database/sql';

export const columnNames = [
  'id',
  'space_id',
  'user_id',
  'type',
  'status',
  'submitter_name',
  'submitter_email',
  'submitter_company',
  'submitter_role',
  'submitter_avatar_url',
  'text_content',
  'video_url',
  'video_thumbnail_url',
  'rating',
  'ai_transcript',
  'shares',
  'created_at',
  'updated_at',
];

/** The columns of `testimonials t` as they go on the wire. */
export const wireColumns = Prisma.raw(
  columnNames
    .map((name) =>
      name.endsWith('_at') ? `${wireInstantColumn(`t.${name}`)} AS ${name}` : `t.${name}`,
    )
    .join(', '),
);
