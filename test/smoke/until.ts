import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

/** Looks until it is so. Throws where it is not within the time; `what` says what was waited for. */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  what: string,
  withinMs: number,
): Promise<void> {
  const giveUpAt = performance.now() + withinMs;
  while (!(await isSo())) {
    assert.ok(performance.now() < giveUpAt, `not in time: ${what}`);
    await sleep(50);
  }
}
