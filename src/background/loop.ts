import { setWorker } from '../outbox/due';
import type { Job } from './job';
import { createTurns } from './turn';
import { createWake } from './wake';

/** The longest sleep: other processes leave work too, and cannot wake this one. */
export const longestSleepMs = 7_000;
/** Writes wake the loop so often at most; one on an idle service wakes it at once. */
const wakeSpacingMs = 100;

export type Loop = {
  /**
   * Starts nothing more, and waits for what is under way; what is not done after `graceMs` is given
   * back for whoever comes next.
   */
  stop(options: { graceMs: number }): Promise<void>;
};

/**
 * Does what is due for as long as the process lives: at once after a write of this process, else
 * when something becomes due. Several processes may do so side by side; `isAlone` says that none does.
 */
export function startLoop(jobs: readonly Job[], { isAlone }: { isAlone: boolean }): Loop {
  const signal = createWake();
  const turns = createTurns(jobs, { random: Math.random, isAlone, onDone: signal.wake });
  let isStopping = false;
  let lastTurnAt = Number.NEGATIVE_INFINITY;
  let wakeTimer: NodeJS.Timeout | undefined;

  const run = async () => {
    while (!isStopping) {
      lastTurnAt = performance.now();
      const { isFull } = await turns.take();
      if (!isFull) await signal.sleep(await turns.restMs(longestSleepMs));
    }
  };
  const running = run();

  const wakeLater = () => {
    wakeTimer = undefined;
    signal.wake();
  };
  setWorker(() => {
    const restMs = lastTurnAt + wakeSpacingMs - performance.now();
    if (restMs <= 0) signal.wake();
    else wakeTimer ??= setTimeout(wakeLater, restMs);
  });

  return {
    async stop({ graceMs }) {
      isStopping = true;
      // What is written from here on stays queued.
      setWorker(() => {});
      clearTimeout(wakeTimer);
      signal.wake();
      const abort = setTimeout(turns.abort, graceMs);
      await running;
      await turns.settled();
      clearTimeout(abort);
    },
  };
}
