import type { Redis } from 'ioredis';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { createLastingFailure } from '../logging/lasting-failure';
import { log } from '../logging/log';
import { refusalIn } from './redis-refusal';

/** How long the first requests wait for a Redis that is still to be reached. */
const firstConnectionMs = 3_000;

/** While Redis fails, it is asked so often at most whether it is back. */
const probeSpacingMs = 1_000;

export const keyPrefix = 'testimonials:requests';

/** Written, for a second, to see whether Redis takes writes; beside the windows, where its user may write. */
const probeKey = `${keyPrefix}:probe`;

/**
 * Runs each use with `shared` while Redis answers, and with `fallback` while it does not. The first
 * use waits for the connection, so that a process that has just started does not count for itself.
 * One failure opens the circuit: from then on nobody waits for Redis, until it has taken a write or a
 * new connection.
 */
export function createCircuit(parts: {
  redis: Redis;
  shared: RateLimiterAbstract;
  fallback: RateLimiterAbstract;
}): <T>(use: (limiter: RateLimiterAbstract) => Promise<T>) => Promise<T> {
  const { redis, shared, fallback } = parts;
  let isOpen = false;
  let nextProbeAt = 0;
  const connected = firstConnection(redis);
  const failure = createLastingFailure();
  const probe = () => {
    const now = performance.now();
    if (now < nextProbeAt) return;
    nextProbeAt = now + probeSpacingMs;
    // A connection whose other end is gone without a word stays silent for ever, and one to a primary
    // that has become a replica answers for ever and takes no writes: a new one may not.
    redis.set(probeKey, '', 'PX', probeSpacingMs).then(close, () => redis.disconnect(true));
  };
  const close = () => {
    isOpen = false;
  };
  redis.on('ready', close);
  return async (use) => {
    await connected;
    if (!isOpen) {
      try {
        const result = await use(shared);
        // What was asked before it failed may be answered after.
        if (!isOpen && failure.end()) log().info('redis counts again');
        return result;
      } catch (error) {
        const times = isOpen ? undefined : failure.add();
        if (times !== undefined) {
          log().warn({ err: refusalIn(error), times }, 'redis does not count; counting in memory');
        }
        isOpen = true;
        nextProbeAt = performance.now() + probeSpacingMs;
      }
    } else {
      probe();
    }
    return use(fallback);
  };
}

/** Resolves once Redis takes commands, or has failed to, or is late. */
function firstConnection(redis: Redis): Promise<void> {
  if (redis.status === 'ready') return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      redis.off('ready', done).off('error', done);
      resolve();
    };
    const timer = setTimeout(done, firstConnectionMs);
    redis.on('ready', done).on('error', done);
  });
}
