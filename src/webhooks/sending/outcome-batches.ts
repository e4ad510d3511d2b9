import { setTimeout as sleep } from 'node:timers/promises';
import { isConnectionLost } from '../../database/connections/connection';
import { isRefused } from '../../database/refused';
import { log } from '../../logging/log';
import { webhookLimits } from '../limits';
import { leasesOf, type Outcome, recordOutcomes } from './outcomes';

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
 * How soon one is tried again whose delivery somebody else has locked, or its endpoint: mostly whoever
 * renews its lease, for a moment. After a long lock that has run out, and who gives it back has a look each second.
 */
const lockedDelayMs = 100;

/**
 * Writes outcomes down, one statement at a time: what arrives while one is under way goes into the
 * next. So recording needs one connection, and gets faster per outcome the more there is to do.
 */
export function createOutcomeBatches(options: Options): OutcomeBatches {
  let waiting: Outcome[] = [];
  /** Those of it that are locked. */
  let next: Promise<ReadonlySet<Outcome>> | undefined;
  let current: Promise<unknown> = Promise.resolve();

  const write = () => {
    const outcomes = waiting;
    waiting = [];
    next = undefined;
    return persist(outcomes, options);
  };

  const enter = (outcome: Outcome) => {
    waiting.push(outcome);
    if (!next) {
      next = current.then(write);
      current = next;
    }
    return next;
  };

  return {
    async add(outcome) {
      const giveUpAt = endOfTries(options);
      while ((await enter(outcome)).has(outcome)) {
        if (performance.now() + lockedDelayMs > giveUpAt) {
          log().error(
            { lost: 1, deliveryId: outcome.claimed.id },
            'webhook attempt not recorded: locked',
          );
          return;
        }
        await sleep(lockedDelayMs);
      }
    },
  };
}

/** By `performance.now()`. */
function endOfTries({ deadlineAt = Number.POSITIVE_INFINITY }: Options): number {
  return performance.now() + Math.min(webhookLimits.recordForMs, deadlineAt - Date.now());
}

const longestDelayMs = 2000;

/**
 * The leases are renewed meanwhile: a database that restarts must not cost what was delivered. One that
 * the database will not have is given up alone, and keeps no other back. Resolves to those that are not
 * recorded because their deliveries or endpoints are locked.
 */
async function persist(outcomes: Outcome[], options: Options): Promise<ReadonlySet<Outcome>> {
  const giveUpAt = endOfTries(options);
  /** A try may have been done whose answer was lost: what it has recorded is not recorded again. */
  let mayBeRecorded = false;
  for (let delayMs = 100; ; delayMs = Math.min(2 * delayMs, longestDelayMs)) {
    try {
      const recorded = await recordOutcomes(outcomes, options);
      if (recorded === outcomes.length) return new Set();
      const { locked, missing } = await leftOf(outcomes, recorded);
      if (missing > 0 && mayBeRecorded) {
        const line = 'webhook attempts were recorded before, or outlived their lease';
        log().warn({ unclear: missing }, line);
      } else if (missing > 0) {
        log().warn({ lost: missing }, 'webhook attempts outlived their lease');
      }
      return new Set(locked);
    } catch (error) {
      mayBeRecorded ||= isConnectionLost(error);
      const isItsOwn = isRefused(error);
      if (isItsOwn && outcomes.length > 1) {
        const half = Math.ceil(outcomes.length / 2);
        const first = await persist(outcomes.slice(0, half), options);
        return new Set([...first, ...(await persist(outcomes.slice(half), options))]);
      }
      if (isItsOwn || performance.now() + delayMs > giveUpAt) {
        log().error({ err: error, lost: outcomes.length }, 'webhook attempts not recorded');
        return new Set();
      }
      log().warn({ err: error }, 'webhook attempts not recorded yet');
      await sleep(delayMs);
    }
  }
}

/**
 * Of what was not recorded: what still has its lease, and how many more there are, but for deliveries
 * that have gone with their endpoint meanwhile.
 */
async function leftOf(
  outcomes: Outcome[],
  recorded: number,
): Promise<{ locked: Outcome[]; missing: number }> {
  // Where nobody can say, none has gone: what is recorded must not be tried again for this.
  const leases = await leasesOf(outcomes.map(({ claimed }) => claimed.id)).catch(() => undefined);
  if (!leases) return { locked: [], missing: outcomes.length - recorded };
  const locked = outcomes.filter(({ claimed }) => leases.get(claimed.id) === claimed.token);
  return { locked, missing: Math.max(0, leases.size - recorded - locked.length) };
}
