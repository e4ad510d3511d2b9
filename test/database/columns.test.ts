import { database } from '@/src/database/client';
import { columns as spaceColumns } from '@/src/spaces/columns';
import { space } from '@/src/spaces/schema';
import { askedColumns, columns as testimonialColumns } from '@/src/testimonials/columns';
import { testimonial } from '@/src/testimonials/schema';

/** What stays in the database. */
const unpublished = ['event_sequence', 'replaced_text_hash'];

async function storedColumns(table: string): Promise<Record<string, string>> {
  const rows = await database().$queryRaw<{ name: string; type: string }[]>`
    SELECT a.attname::text AS name, format_type(a.atttypid, NULL) AS type FROM pg_attribute a
    WHERE a.attrelid = to_regclass(${table}) AND a.attnum > 0 AND NOT a.attisdropped`;
  return Object.fromEntries(
    rows
      .filter(({ name }) => !unpublished.includes(name))
      .map(({ name, type }) => [name, type.replace('timestamp with time zone', 'timestamptz')]),
  );
}

test.each([
  ['testimonials', { ...testimonialColumns, ...askedColumns }, testimonial],
  ['spaces', spaceColumns, space],
])(
  'the columns of %s are those of the database, in the order of the fields on the wire',
  async (table, columns, schema) => {
    expect(columns).toEqual(await storedColumns(table));
    expect(Object.keys(columns)).toEqual(Object.keys(schema.shape));
  },
);
