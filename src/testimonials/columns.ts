import { type Columns, selectList } from '../database/columns';
import type { Testimonial } from './schema';

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
} as const satisfies Columns<Testimonial>;

export const columnNames = Object.keys(columns);

/** The columns of `testimonials t` as they go on the wire. */
export const wireColumns = selectList(columns, 't');
