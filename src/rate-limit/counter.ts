import type { Redis } from 'ioredis';
import {
  type RateLimiterAbstract,
  RateLimiterCluster,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import { env } from '../env';
import { createLastingFailure } from '../logging/lasting-failure';
import { log } from '../logging/log';
import type { Mode } from '../mode';
import { singleton } from '../singleton';
import { createCircuit, keyPrefix } from './circuit';
import type { RateLimit } from './headers';
import { apiRequestLimit, dashboardLimits, type Limit } from './limits';
import { type Consume, countAlone, countTogether } from './together';

/** Fewer resets than these are kept also when their windows are over. */
const leastRememberedResets = 10_000;

/**
 * Where several processes count together, each knows the window's end by how long it took to be told.
 * The next whole second is the same for all of them, but for the few windows that end right on one.
 */
const sharedResetMs = 1_000;

/** Two computed resets closer than this are the same window, seen with the clock's jitter. */
const sameWindowMs = 5_000;

/**
 * Counts one request of the account and says where it stands. The window starts with the first
 * request and ends an hour later. Exact within this process and its fellow workers, and across all
 * instances with REDIS_URL; while Redis fails, this process counts in memory. Contract, section 8.
 */
export function countRequest(accountId: string, mode: Mode = 'live'): Promise<Count> {
  return requestCounters()[mode].count(accountId);
}

/** Where the account stands, counting nothing; null while no window has begun. */
export function readRateLimit(accountId: string, mode: Mode): Promise<RateLimit | null> {
  return requestCounters()[mode].read(accountId);
}

/** Reaches Redis where that counts, so that the first requests need not; returns also where it fails. */
export async function prepareCounting(): Promise<void> {
  await readRateLimit('nobody', 'live');
}

function requestCounters(): Record<Mode, RequestCounter> {
  return singleton('rate-limit', () => {
    const { REDIS_URL: url, WORKER_NUMBER: worker } = env();
    // Its driver is loaded where it is used alone.
    const redis = url ? import('./redis').then((driver) => driver.connectRedis(url)) : undefined;
    const counter = (mode: Mode) => {
      const limit = apiRequestLimit(mode);
      if (redis) {
        const through = redis.then((connection) => throughRedis(limit, connection));
        return createRequestCounter(limit, async (use) => (await through)(use));
      }
      return createRequestCounter(
        limit,
        worker === undefined ? undefined : throughPrimary(limit, mode),
      );
    };
    return { live: counter('live'), test: counter('test') };
  });
}

/**
 * Counts one procedure of the dashboard for the session and for its account. In this process alone:
 * what it bounds is the work of one process.
 */
export async function countProcedure(of: {
  sessionId: string;
  accountId: string;
}): Promise<{ isExceeded: boolean }> {
  const { session, account } = singleton('dashboard-limits', () => ({
    session: createRequestCounter(dashboardLimits.session),
    account: createRequestCounter(dashboardLimits.account),
  }));
  // What the session's limit refuses takes nothing away from the account's other sessions.
  const { isExceeded } = await session.count(of.sessionId);
  return isExceeded ? { isExceeded } : account.count(of.accountId);
}

/** Where an account stands after a request, and whether that request was one too many. */
type Count = { state: RateLimit; isExceeded: boolean };

export type RequestCounter = {
  count(accountId: string): Promise<Count>;
  read(accountId: string): Promise<RateLimit | null>;
};

type Through = <T>(use: (limiter: RateLimiterAbstract) => Promise<T>) => Promise<T>;

/** How long a worker waits for the primary process before it counts for itself. */
const primaryTimeoutMs = 1_000;

/** Counted in memory. */
function inMemory(limit: Limit): Through {
  const limiter = new RateLimiterMemory(optionsOf(limit));
  return (use) => use(limiter);
}

/** Counted in a Redis that other instances share. */
export function throughRedis(limit: Limit, redis: Redis): Through {
  const options = optionsOf(limit);
  return createCircuit({
    redis,
    shared: new RateLimiterRedis({ ...options, storeClient: redis, keyPrefix }),
    fallback: new RateLimiterMemory(options),
  });
}

/** Counted in the primary process, for all of its workers; it knows a limit by the prefix alone. */
function throughPrimary(limit: Limit, mode: Mode): Through {
  const options = { ...optionsOf(limit), keyPrefix: `${keyPrefix}:${mode}` };
  const shared = new RateLimiterCluster({ ...options, timeoutMs: primaryTimeoutMs });
  const fallback = new RateLimiterMemory(options);
  const failure = createLastingFailure();
  return async (use) => {
    try {
      return await use(shared);
    } catch (error) {
      const times = failure.add();
      if (times !== undefined) {
        const told = 'the primary process does not count; counting in memory';
        log().warn({ err: error, times }, told);
      }
      return use(fallback);
    }
  };
}

/**
 * Counts once under a key of its own, by the commands that requests are counted by, each of which an
 * access list of Redis' may refuse.
 * @throws what Redis says where it does not count
 */
export async function countProbe(redis: Redis): Promise<void> {
  const limiter = new RateLimiterRedis({ storeClient: redis, keyPrefix, points: 1, duration: 1 });
  await consume(limiter, 'doctor', 1);
  await limiter.get('doctor');
}

function optionsOf({ requests, windowSeconds }: Limit) {
  return { points: requests, duration: windowSeconds };
}

/** The counter behind both: in memory, or wherever `elsewhere` leads. */
export function createRequestCounter(limit: Limit, elsewhere?: Through): RequestCounter {
  const { requests, windowSeconds } = limit;
  const through = elsewhere ?? inMemory(limit);
  const consumeBy: Consume<RateLimiterRes> = (accountId, points) =>
    through((limiter) => consume(limiter, accountId, points));
  const consumeOne = elsewhere ? countTogether(consumeBy) : countAlone(consumeBy);
  /** End of the current window, by account. */
  const resets = new Map<string, number>();
  /** With so many, those of windows that are over are thrown away. */
  let tidyAt = leastRememberedResets;

  const stateOf = (accountId: string, total: number, { msBeforeNext }: RateLimiterRes) => {
    const now = Date.now();
    // Where the clock was set back, more would be left than a window has.
    const end = now + Math.min(msBeforeNext, windowSeconds * 1000);
    const told = elsewhere ? Math.ceil(end / sharedResetMs) * sharedResetMs : end;
    return {
      limit: requests,
      remaining: Math.max(0, requests - total),
      resetAt: stableReset(accountId, told, now),
    };
  };
  /** One instant per window: the limiter gives a remaining time, whose end wavers by milliseconds. */
  const stableReset = (accountId: string, computed: number, now: number) => {
    const known = resets.get(accountId);
    if (known !== undefined && Math.abs(known - computed) < sameWindowMs) return known;
    if (resets.size >= tidyAt) {
      for (const [id, resetAt] of resets) if (resetAt <= now) resets.delete(id);
      // Each look at all of them is paid for by as many new ones, also where few windows are over.
      tidyAt = Math.max(leastRememberedResets, 2 * resets.size);
    }
    resets.set(accountId, computed);
    return computed;
  };

  return {
    async count(accountId) {
      const { window, total } = await consumeOne(accountId);
      return { isExceeded: total > requests, state: stateOf(accountId, total, window) };
    },
    async read(accountId) {
      const result = await through((limiter) => limiter.get(accountId));
      return result && stateOf(accountId, result.consumedPoints, result);
    },
  };
}

/** Where the window stands, which the limiter tells by throwing where it is exceeded. */
async function consume(limiter: RateLimiterAbstract, accountId: string, points: number) {
  try {
    return await limiter.consume(accountId, points);
  } catch (rejection) {
    if (rejection instanceof RateLimiterRes) return rejection;
    throw rejection;
  }
}
