import { effectOf, overlaps } from '@/app/(dashboard)/api-keys/overlaps';

const now = new Date('2026-01-15T10:00:00Z');
const [none, oneHour, day] = overlaps;

test.each([
  [none, null, true, 'stops working at once'],
  [day, null, true, 'Both keys work for a day'],
  [day, '2026-01-16T10:00:00Z', true, 'Both keys work for a day'],
  [day, '2026-01-16T09:59:59Z', true, 'until the old one expires, which is sooner'],
  [oneHour, '2026-01-16T09:59:59Z', true, 'Both keys work for one hour'],
  [oneHour, null, false, 'is switched off: only the new one works'],
  [none, '2026-01-15T10:00:00Z', true, 'has expired: only the new one works'],
  [day, '2026-01-15T10:00:00Z', false, 'has expired: only the new one works'],
])(
  'with the overlap %j a key that ends %s and is on %s: %s',
  (overlap, expires_at, enabled, words) => {
    if (!overlap) throw new Error('There is no such overlap');
    expect(effectOf(overlap, { expires_at, enabled }, now)).toContain(words);
  },
);
