import { Redis } from 'ioredis';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import { env } from '../env';
import { log } from '../log';
import { singleton } from '../singleton';
import type { RateLimit } from './headers';
import { apiRequestLimit } from './limits';

/** Above this many accounts, resets of windows that are over are thrown away. */
const maxRememberedResets = 10_000;

/** Two computed resets closer than this are the same window, seen with the clock's jitter. */
const sameWindowMs = 5_000;

/**
 * Counts one request of the account and says where it stands. The window starts with the first
 * request and ends an hour later. Exact within this process, and across all of them with Redis;
 * while Redis fails, this process counts in memory. Contract, section 8.
 */
export async function countRequest(
  accountId: string,
): Promise<{ state: RateLimit; isExceeded: boolean }> {
  const { limiter, resets } = counter();
  const { result, isExceeded } = await consume(limiter, accountId);
  const now = Date.now();
  return {
    isExceeded,
    state: {
      limit: apiRequestLimit.requests,
      remaining: Math.max(0, result.remainingPoints),
      resetAt: stableReset(resets, accountId, now + result.msBeforeNext, now),
    },
  };
}

/** Where the account stands, counting nothing; `resetAt` is null while no window has begun. */
export async function readRateLimit(
  accountId: string,
): Promise<Omit<RateLimit, 'resetAt'> & { resetAt: number | null }> {
  const { limiter, resets } = counter();
  const { requests: limit } = apiRequestLimit;
  const result = await limiter.get(accountId);
  if (!result) return { limit, remaining: limit, resetAt: null };
  const now = Date.now();
  const remaining = Math.max(0, result.remainingPoints);
  return {
    limit,
    remaining,
    resetAt: stableReset(resets, accountId, now + result.msBeforeNext, now),
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

/** One instant per window: the limiter gives a remaining time, whose end wavers by milliseconds. */
function stableReset(
  resets: Map<string, number>,
  accountId: string,
  computed: number,
  now: number,
) {
  const known = resets.get(accountId);
  if (known !== undefined && Math.abs(known - computed) < sameWindowMs) return known;
  if (resets.size >= maxRememberedResets) {
    for (const [id, resetAt] of resets) if (resetAt <= now) resets.delete(id);
  }
  resets.set(accountId, computed);
  return computed;
}

function counter() {
  return singleton('rate-limit', () => ({
    limiter: createLimiter(),
    resets: new Map<string, number>(),
  }));
}

function createLimiter(): RateLimiterAbstract {
  const options = { points: apiRequestLimit.requests, duration: apiRequestLimit.windowSeconds };
  const memory = new RateLimiterMemory(options);
  const url = env().REDIS_URL;
  if (!url) return memory;
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    commandTimeout: 500,
  });
  redis.on('error', (error) => log().warn({ err: error }, 'redis failed; counting in memory'));
  return new RateLimiterRedis({
    ...options,
    storeClient: redis,
    keyPrefix: 'testimonials:requests',
    insuranceLimiter: memory,
  });
}
