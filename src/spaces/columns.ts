import { type Columns, selectList } from '../database/sql/columns';
import type { Space } from './schema';

/** The columns of a space that go on the wire; statements are made of them. */
export const columns = {
  id: 'uuid',
  user_id: 'uuid',
  name: 'text',
  slug: 'text',
  description: 'text',
  logo_url: 'text',
  primary_color: 'text',
  custom_questions: 'jsonb',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
} as const satisfies Columns<Space>;

export const columnNames = Object.keys(columns);

/** The columns of `spaces s` as they go on the wire. */
export const wireColumns = selectList(columns, 's');
