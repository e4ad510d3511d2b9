import { minuteMs } from './durations';

/** So much an answer may be late, and a clock be wrong without anybody noticing. */
export const unnoticedMs = 2 * minuteMs;

/** How far the clock of the browser's machine is ahead of the service's, in ms. */
let aheadMs = 0;

/**
 * Notes what the time was where the service runs, in ms since 1970, as its answer arrives: instants are
 * by that clock, and the machine of a reader may be hours off. Nothing on the server, nor without a time.
 */
export function noteServiceTime(atMs: number): void {
  if (typeof window === 'undefined' || Number.isNaN(atMs)) return;
  const foundMs = Date.now() - atMs;
  aheadMs = Math.abs(foundMs) < unnoticedMs ? 0 : foundMs;
}

/** The present by the service's clock, in ms since 1970. */
export const serviceNow = (): number => Date.now() - aheadMs;
