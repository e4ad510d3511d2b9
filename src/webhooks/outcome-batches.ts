import { setTimeout as sleep } from 'node:timers/promises';
import { isConnectionLost } from '../database/connection';
import { log } from '../log';
import { webhookLimits } from './limits';
import { countDeliveries, type Outcome, recordOutcomes } from './outcomes';

type OutcomeBatches = {
  /** Resolves once the outcome is written down, or given up for its lease to run out. */
  add(outcome: Outcome): Promise<void>;
};

type Options = {
  now?: Date | undefined;
  random: () => number;
  /** Milliseconds of `Date.now()` after which nothing is tried again; without it, the process stays. */
  deadlineAt?: number | undefined;
};

/**
 * Writes outcomes down, one statement at a time: what arrives while one is under way goes into the
 * next. So recording needs one connection, and gets faster per outcome the more there is to do.
 */
export function createOutcomeBatches(options: Options): OutcomeBatches {
  let waiting: Outcome[] = [];
  let next: Promise<void> | undefined;
  let current: Promise<void> = Promise.resolve();

  const write = async () => {
    const outcomes = waiting;
    waiting = [];
    next = undefined;
    await persist(outcomes, options);
  };

  return {
    add(outcome) {
      waiting.push(outcome);
      if (!next) {
        next = current.then(write);
        current = next;
      }
      return next;
    },
  };
}

const longestDelayMs = 2000;

/** The leases are renewed meanwhile: a database that restarts must not cost what was delivered. */
async function persist(outcomes: Outcome[], options: Options): Promise<void> {
  const { deadlineAt = Number.POSITIVE_INFINITY } = options;
  const tryForMs = Math.min(webhookLimits.recordForMs, deadlineAt - Date.now());
  const giveUpAt = performance.now() + tryForMs;
  /** A try may have been done whose answer was lost: what it has recorded is not recorded again. */
  let mayBeRecorded = false;
  for (let delayMs = 100; ; delayMs = Math.min(2 * delayMs, longestDelayMs)) {
    try {
      const recorded = await recordOutcomes(outcomes, options);
      const missing = recorded < outcomes.length ? await missingOf(outcomes, recorded) : 0;
      if (missing > 0 && mayBeRecorded) {
        const line = 'webhook attempts were recorded before, or outlived their lease';
        log().warn({ unclear: missing }, line);
      } else if (missing > 0) {
        log().warn({ lost: missing }, 'webhook attempts outlived their lease');
      }
      return;
    } catch (error) {
      mayBeRecorded ||= isConnectionLost(error);
      if (performance.now() + delayMs > giveUpAt) {
        log().error({ err: error, lost: outcomes.length }, 'webhook attempts not recorded');
        return;
      }
      log().warn({ err: error }, 'webhook attempts not recorded yet');
      await sleep(delayMs);
    }
  }
}

/** How many were not recorded, but for deliveries that have gone with their endpoint meanwhile. */
async function missingOf(outcomes: Outcome[], recorded: number): Promise<number> {
  // Where nobody can say, none has gone: what is recorded must not be tried again for this.
  const left = await countDeliveries(outcomes.map(({ claimed }) => claimed.id)).catch(
    () => outcomes.length,
  );
  return Math.max(0, left - recorded);
}
