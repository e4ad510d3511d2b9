/**
 * For the person who waits: what a `Retry-After` in seconds says, rounded up. What proxies say with a
 * date is not read.
 */
export function whenToTryAgain(retryAfter: string | null): string {
  if (!retryAfter || !/^\d{1,9}$/.test(retryAfter)) return 'Wait a while and try again.';
  const seconds = Math.max(1, Number(retryAfter));
  if (seconds < 60) return `Try again in ${inWords(seconds, 'second')}.`;
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 120) return `Try again in ${inWords(minutes, 'minute')}.`;
  return `Try again in ${inWords(Math.ceil(minutes / 60), 'hour')}.`;
}

function inWords(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
