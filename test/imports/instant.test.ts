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
