import { hasWorker, setWorker } from '../outbox/due';
import type { Job, JobContext } from './job';
import { createTurns } from './turn';
import { createWake } from './wake';

/** How long a drain may go on after the request that started it. */
const onDemandMs = 25_000;
/**
 * How long later requests share it: then a job may have too little time left for what may take long. Of
 * 25 seconds a mail may take 20.
 */
const sharedMs = 4_000;
const longestSleepMs = 1000;

type Drain = {
  /** Looks for more at once, if it still may. Returns whether it does. */
  wake(): boolean;
  /** Resolves once nothing is due or time is up. */
  finished: Promise<{ started: number; hasFailed: boolean }>;
};

/**
 * Does what is due until nothing is, for a process that does not stay. It is over by `deadlineAt`,
 * milliseconds of `Date.now()`: no job begins what may take longer.
 */
export function startDrain(
  jobs: readonly Job[],
  options: { deadlineAt: number } & Partial<Pick<JobContext, 'now' | 'random' | 'isAlone'>>,
): Drain {
  const signal = createWake();
  const turns = createTurns(jobs, {
    random: Math.random,
    isAlone: false,
    ...options,
    onDone: signal.wake,
  });
  let isOver = false;

  const run = async () => {
    let total = 0;
    while (Date.now() < options.deadlineAt) {
      const { started, isFull } = await turns.take();
      total += started;
      // Woken meanwhile, there may be something that this turn was too early to see.
      if (started === 0 && turns.isIdle() && !signal.isWoken()) break;
      if (!isFull) await signal.sleep(longestSleepMs);
    }
    isOver = true;
    await turns.settled();
    return { started: total, hasFailed: turns.hasFailed() };
  };

  return {
    finished: run(),
    wake() {
      if (!isOver) signal.wake();
      return !isOver;
    },
  };
}

/**
 * For a process that does not stay, and so has no loop: whenever something is said to be due, it is
 * done, together with whatever else is. Writes soon after each other share one drain. Does nothing where
 * the process has a worker already. The jobs are loaded on first use: requests that only read never pay
 * for them.
 */
export function drainOnDemand(load: () => Promise<{ promptJobs: readonly Job[] }>): void {
  if (hasWorker()) return;
  let drain: Drain | undefined;
  let startedAt = Number.NEGATIVE_INFINITY;
  const join = () => Date.now() < startedAt + sharedMs && drain?.wake();
  setWorker(async () => {
    if (!join()) {
      const { promptJobs } = await load();
      if (!join()) {
        startedAt = Date.now();
        drain = startDrain(promptJobs, { deadlineAt: startedAt + onDemandMs });
      }
    }
    await drain?.finished;
  });
}
