import { randomUUID } from 'node:crypto';
import { provideEnv } from '@/src/env';
import { countRequest, createRequestCounter, throughRedis } from '@/src/rate-limit/counter';
import { apiRequestLimit } from '@/src/rate-limit/limits';
import * as redis from '@/src/rate-limit/redis';

jest.mock('@/src/rate-limit/redis', () => {
  const actual = jest.requireActual<typeof redis>('@/src/rate-limit/redis');
  return { ...actual, connectRedis: jest.fn(actual.connectRedis) };
});

/** A Redis server that may be written to; without one, this test cannot run. */
const url = process.env.TEST_REDIS_URL;

(url ? test : test.skip)(
  'where there is Redis, workers count there with other instances, and not in their primary process',
  async () => {
    const connect = jest.mocked(redis.connectRedis);
    const account = randomUUID();
    provideEnv({ REDIS_URL: url, WORKER_NUMBER: '1' });
    await countRequest(account);
    const other = throughRedis(apiRequestLimit(), redis.connectRedis(url ?? '', 20_000));
    const { state } = await createRequestCounter(apiRequestLimit(), other).count(account);
    for (const { value } of connect.mock.results) value.disconnect();
    expect(state.remaining).toBe(998);
  },
);
