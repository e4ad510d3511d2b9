import type { OverlapHours } from '@/src/api-keys/schema';
import { hourMs } from '@/src/ui/time/durations';
import { leftMsOf } from './key-status';

type Overlap = { hours: OverlapHours; label: string; effect: string };

/** For how long a key may go on beside the one that takes its place. */
export const overlaps: Overlap[] = [
  { hours: 0, label: 'None', effect: 'The old key stops working at once.' },
  { hours: 1, label: '1 hour', effect: 'Both keys work for one hour, then only the new one.' },
  { hours: 24, label: '24 hours', effect: 'Both keys work for a day, then only the new one.' },
  { hours: 72, label: '72 hours', effect: 'Both keys work for three days, then only the new one.' },
];

/** What becomes of this key, which may work no more as it is, or end by itself before that. */
export function effectOf(
  { hours, effect }: Overlap,
  apiKey: { enabled: boolean; expires_at: string | null },
  now: Date,
): string {
  const leftMs = leftMsOf(apiKey, now);
  if (leftMs <= 0) return 'The old key has expired: only the new one works.';
  if (hours === 0) return effect;
  if (!apiKey.enabled) return 'The old key is switched off: only the new one works.';
  if (leftMs < hours * hourMs) return 'Both keys work until the old one expires, which is sooner.';
  return effect;
}
