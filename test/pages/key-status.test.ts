import { keyStatus } from '@/app/(dashboard)/api-keys/key-status';

const now = new Date('2026-01-15T10:00:00Z');

test.each([
  [null, true, 'Active', 'good'],
  [null, false, 'Off', 'over'],
  ['2026-01-15T10:00:00Z', true, 'Expired', 'over'],
  ['2026-01-15T10:00:30Z', true, 'Expires in 1 minute', 'warning'],
  ['2026-01-16T10:00:20Z', true, 'Expires in 24 hours', 'warning'],
  ['2026-01-18T09:00:00Z', true, 'Expires in 3 days', 'warning'],
  ['2026-04-15T10:00:00Z', true, 'Expires in 90 days', 'good'],
  ['2026-01-01T00:00:00Z', false, 'Off', 'over'],
])('a key that ends %s and is on %s is shown as %s', (expires_at, enabled, text, tone) => {
  expect(keyStatus({ expires_at, enabled }, now)).toEqual({ text, tone });
});
