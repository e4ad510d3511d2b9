import { Redis } from 'ioredis';
import { createLastingFailure } from '../logging/lasting-failure';
import { log } from '../logging/log';
import { closedEarly, refusalAfter } from './redis-refusal';

/** How long a command may take: one request waits so long for a Redis that falls silent. */
const commandTimeoutMs = 1_000;

/** A connection that gives up soon, so that a request never waits for a Redis that is gone. */
export function connectRedis(url: string, commandTimeout = commandTimeoutMs): Redis {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    commandTimeout,
  });
  const failure = createLastingFailure();
  /** Once the last failure is told, for whose reason Redis is asked first. */
  let told = Promise.resolve();
  let isOpening = false;
  redis.on('connect', () => {
    isOpening = true;
  });
  redis.on('error', (error) => {
    isOpening = false;
    const times = failure.add();
    if (times === undefined) return;
    told = refusalAfter(error, redis).then((refusal) =>
      log().warn({ err: error, refusal, times }, 'redis failed; counting in memory'),
    );
  });
  redis.on('ready', () => {
    isOpening = false;
    if (failure.end()) void told.then(() => log().info('redis answers again'));
  });
  // Of one that is closed in due form before it is ready the driver says nothing, and tries for ever.
  redis.on('close', () => {
    if (isOpening) redis.emit('error', new ClosedEarly());
  });
  return redis;
}

class ClosedEarly extends Error {
  readonly code = closedEarly;

  constructor() {
    super('The connection was closed before it was ready');
  }
}
