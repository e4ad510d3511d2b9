import type { Redis } from 'ioredis';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import { env } from '../env';
import { singleton } from '../singleton';
import type { RateLimit } from './headers';
import { apiRequestLimit, dashboardLimits, type Limit } from './limits';
import { connectRedis, createCircuit } from './redis';

/** Above this many accounts, resets of windows that are over are thrown away. */
const maxRememberedResets = 10_000;

/** Two computed resets closer than this are the same window, seen with the clock's jitter. */
const sameWindowMs = 5_000;

/**
 * Counts one request of the account and says where it stands. The window starts with the first
 * request and ends an hour later. Exact within this process, and across all of them with REDIS_URL;
 * while Redis fails, this process counts in memory. Contract, section 8.
 */
export function countRequest(accountId: string): Promise<Count> {
  return requestCounter().count(accountId);
}

/** Where the account stands, counting nothing; null while no window has begun. */
export function readRateLimit(accountId: string): Promise<RateLimit | null> {
  return requestCounter().read(accountId);
}

/** Reaches Redis where that counts, so that the first requests need not; returns also where it fails. */
export async function prepareCounting(): Promise<void> {
  await requestCounter().read('nobody');
}

function requestCounter(): RequestCounter {
  return singleton('rate-limit', () => {
    const url = env().REDIS_URL;
    return createRequestCounter(apiRequestLimit(), url ? connectRedis(url) : undefined);
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
export type Count = { state: RateLimit; isExceeded: boolean };

export type RequestCounter = {
  count(accountId: string): Promise<Count>;
  read(accountId: string): Promise<RateLimit | null>;
};

/** The counter behind both: in memory, or in a Redis that other processes share. */
export function createRequestCounter(
  { requests, windowSeconds }: Limit,
  redis?: Redis,
): RequestCounter {
  const options = { points: requests, duration: windowSeconds };
  const memory = new RateLimiterMemory(options);
  const through = redis
    ? createCircuit({
        redis,
        shared: new RateLimiterRedis({
          ...options,
          storeClient: redis,
          keyPrefix: 'testimonials:requests',
        }),
        fallback: memory,
      })
    : <T>(use: (limiter: RateLimiterAbstract) => Promise<T>) => use(memory);
  /** End of the current window, by account. */
  const resets = new Map<string, number>();

  const stateOf = (accountId: string, { remainingPoints, msBeforeNext }: RateLimiterRes) => {
    const now = Date.now();
    return {
      limit: requests,
      remaining: Math.max(0, remainingPoints),
      resetAt: stableReset(accountId, now + msBeforeNext, now),
    };
  };
  /** One instant per window: the limiter gives a remaining time, whose end wavers by milliseconds. */
  const stableReset = (accountId: string, computed: number, now: number) => {
    const known = resets.get(accountId);
    if (known !== undefined && Math.abs(known - computed) < sameWindowMs) return known;
    if (resets.size >= maxRememberedResets) {
      for (const [id, resetAt] of resets) if (resetAt <= now) resets.delete(id);
    }
    resets.set(accountId, computed);
    return computed;
  };

  return {
    async count(accountId) {
      const { result, isExceeded } = await through((limiter) => consume(limiter, accountId));
      return { isExceeded, state: stateOf(accountId, result) };
    },
    async read(accountId) {
      const result = await through((limiter) => limiter.get(accountId));
      return result && stateOf(accountId, result);
    },
  };
}

async function consume(limiter: RateLimiterAbstract, accountId: string) {
  try {
    return { result: await limiter.consume(accountId), isExceeded: false };
  } catch (rejection) {
    if (rejection instanceof RateLimiterRes) return { result: rejection, isExceeded: true };
    throw rejection;
  }
}
