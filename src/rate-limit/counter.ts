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

function requestCounter(): RequestCounter {
  return singleton('rate-limit', () => {
    const url = env().REDIS_URL;
    return new RequestCounter(url ? connectRedis(url) : undefined);
  });
}

/** Where an account stands after a request, and whether that request was one too many. */
export type Count = { state: RateLimit; isExceeded: boolean };

/** The counter behind both: in memory, or in a Redis that other processes share. */
export class RequestCounter {
  readonly #limiter: RateLimiterAbstract;
  /** End of the current window, by account. */
  readonly #resets = new Map<string, number>();

  constructor(redis?: Redis) {
    const { requests, windowSeconds } = apiRequestLimit();
    const options = { points: requests, duration: windowSeconds };
    const memory = new RateLimiterMemory(options);
    this.#limiter = redis
      ? new RateLimiterRedis({
          ...options,
          storeClient: redis,
          keyPrefix: 'testimonials:requests',
          insuranceLimiter: memory,
        })
      : memory;
  }

  async count(accountId: string): Promise<Count> {
    const { result, isExceeded } = await consume(this.#limiter, accountId);
    return { isExceeded, state: this.#state(accountId, result) };
  }

  async read(accountId: string): Promise<RateLimit | null> {
    const result = await this.#limiter.get(accountId);
    return result && this.#state(accountId, result);
  }

  #state(accountId: string, { remainingPoints, msBeforeNext }: RateLimiterRes): RateLimit {
    const now = Date.now();
    return {
      limit: this.#limiter.points,
      remaining: Math.max(0, remainingPoints),
      resetAt: this.#stableReset(accountId, now + msBeforeNext, now),
    };
  }

  /** One instant per window: the limiter gives a remaining time, whose end wavers by milliseconds. */
  #stableReset(accountId: string, computed: number, now: number): number {
    const resets = this.#resets;
    const known = resets.get(accountId);
    if (known !== undefined && Math.abs(known - computed) < sameWindowMs) return known;
    if (resets.size >= maxRememberedResets) {
      for (const [id, resetAt] of resets) if (resetAt <= now) resets.delete(id);
    }
    resets.set(accountId, computed);
    return computed;
  }
}

/** A connection that gives up soon, so that a request never waits for a Redis that is gone. */
export function connectRedis(url: string): Redis {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    commandTimeout: 500,
  });
  redis.on('error', (error) => log().warn({ err: error }, 'redis failed; counting in memory'));
  return redis;
}

async function consume(limiter: RateLimiterAbstract, accountId: string) {
  try {
    return { result: await limiter.consume(accountId), isExceeded: false };
  } catch (rejection) {
    if (rejection instanceof RateLimiterRes) return { result: rejection, isExceeded: true };
    throw rejection;
  }
}
