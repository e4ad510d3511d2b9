import { z } from 'zod';
import { utcMicroseconds } from '@/src/imports/instant';
import { fieldSchemas } from '@/src/imports/schema';

const published = z.object({ pattern: z.string() }).parse(fieldSchemas.created_at);

test.each([
  ['2026-01-15T10:30:00Z', '2026-01-15T10:30:00.000000Z'],
  ['2026-01-15T10:30:00.1234567+02:00', '2026-01-15T08:30:00.123456Z'],
  ['2026-01-15T10:30Z', undefined],
  ['2026-01-15T10:30+02:00', undefined],
])('%s is read as %s, and the published pattern says which are taken', (instant, expected) => {
  expect(utcMicroseconds(instant)).toBe(expected);
  expect(new RegExp(published.pattern, 'u').test(instant)).toBe(expected !== undefined);
});

test.each([
  ['0001-01-01T05:00:00+05:00', '0001-01-01T00:00:00.000000Z'],
  ['0001-01-01T04:59:59+05:00', undefined],
  ['9999-12-31T23:59:59.9999999Z', '9999-12-31T23:59:59.999999Z'],
  ['9999-12-31T23:59:00-00:01', undefined],
])('%s is read as %s: an answer has a year of four digits, in UTC', (instant, expected) => {
  expect(utcMicroseconds(instant)).toBe(expected);
});
