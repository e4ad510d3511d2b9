import { types } from 'pg';
import { pool } from '@/src/database/client';
import {
  LargeReadError,
  largeReadCharacters,
  MeteredRead,
  readingLarge,
  requireSmall,
} from '@/src/database/connections/large-reads';
import { Prisma } from '@/src/database/generated/client';
import { readRows } from '@/src/database/read-rows';
import { promised } from '../helpers/promised';

const large = Prisma.sql`SELECT repeat('x', ${largeReadCharacters + 1}::int) AS text`;

test('who made room reads on, also when another who did is done before', async () => {
  const { promise: ended, resolve: end } = promised<void>();
  const longer = readingLarge(async () => {
    await ended;
    return readRows<{ text: string }>(large);
  });
  await readingLarge(() => readRows(large));
  end();
  expect((await longer)[0]?.text).toHaveLength(largeReadCharacters + 1);
});

test('a read that was begun with room is whole, also where what it was begun for has failed before', async () => {
  let reading: Promise<{ text: string }[]> | undefined;
  const failed = readingLarge(async () => {
    reading = readRows(large);
    throw new Error('Another read of it failed');
  });
  await expect(failed).rejects.toThrow('Another read');
  expect((await reading)?.[0]?.text).toHaveLength(largeReadCharacters + 1);
});

test('room is made for what was run in it alone', async () => {
  await readingLarge(async () => requireSmall(largeReadCharacters + 1));
  requireSmall(largeReadCharacters);
  expect(() => requireSmall(largeReadCharacters + 1)).toThrow(LargeReadError);
  await expect(readRows(large)).rejects.toThrow(LargeReadError);
});

test.each([
  ['text', Prisma.sql`repeat('x', 10)`],
  ['a list of texts', Prisma.sql`ARRAY[repeat('x', 10)]`],
  ['JSON', Prisma.sql`to_jsonb(repeat('x', 10))`],
  ['bytes', Prisma.sql`repeat('x', 10)::bytea`],
])('what a read brings counts, all rows together: %s', async (_, value) => {
  const rows = Math.ceil(largeReadCharacters / 10) + 1;
  await expect(
    readRows(Prisma.sql`SELECT ${value} AS value FROM generate_series(1, ${rows}::int)`),
  ).rejects.toThrow(LargeReadError);
});

test('of a read that is too large nothing beyond the bound is held', () => {
  const read = new MeteredRead();
  const [text, list] = [types.builtins.TEXT, 1009].map((oid) => read.getTypeParser(oid, 'text'));
  expect(text?.('x'.repeat(largeReadCharacters))).toHaveLength(largeReadCharacters);
  read.check();
  expect([text?.('x'), list?.('{x}')]).toEqual([null, null]);
  expect(() => read.check()).toThrow(LargeReadError);
});

test('a metered read has the values that the driver gives', async () => {
  const text = `
    SELECT 'a' AS text, ARRAY['a', 'b'] AS texts, '{"a":1}'::jsonb AS json, 1::smallint AS smallint,
      2 AS integer, 3::bigint AS bigint, 1.5::float8 AS float, 1.5::numeric AS numeric, true AS truth,
      timestamptz '2026-01-02 03:04:05+02' AS instant, NULL::text AS nothing`;
  const { rows } = await pool().query(text);
  expect(await readRows(Prisma.raw(text))).toEqual(rows);
});
