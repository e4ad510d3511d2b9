import { dayMs, hourMs, minuteMs } from '@/src/ui/time/durations';

/** A key that ends within this is shown as a warning. */
const warningMs = 7 * dayMs;

/** What the key would be answered now, in a word or two, and how much attention it deserves. */
export function keyStatus(
  apiKey: { enabled: boolean; expires_at: string | null },
  now: Date,
): { text: string; tone: 'good' | 'warning' | 'over' } {
  if (!apiKey.enabled) return { text: 'Off', tone: 'over' };
  if (apiKey.expires_at === null) return { text: 'Active', tone: 'good' };
  const leftMs = leftMsOf(apiKey, now);
  if (leftMs <= 0) return { text: 'Expired', tone: 'over' };
  return {
    text: `Expires in ${describeLength(leftMs)}`,
    tone: leftMs <= warningMs ? 'warning' : 'good',
  };
}

/** How long until the key expires, none or less once it has; without end where it never does. */
export function leftMsOf({ expires_at }: { expires_at: string | null }, now: Date): number {
  if (expires_at === null) return Number.POSITIVE_INFINITY;
  return new Date(expires_at).getTime() - now.getTime();
}

function describeLength(lengthMs: number): string {
  if (lengthMs < hourMs) return count(Math.ceil(lengthMs / minuteMs), 'minute');
  if (lengthMs < 2 * dayMs) return count(Math.round(lengthMs / hourMs), 'hour');
  return count(Math.round(lengthMs / dayMs), 'day');
}

function count(amount: number, unit: string): string {
  return `${amount} ${unit}${amount === 1 ? '' : 's'}`;
}
