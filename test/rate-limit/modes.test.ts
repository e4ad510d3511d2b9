import cluster from 'node:cluster';
import { randomUUID } from 'node:crypto';
import { RateLimiterClusterMaster } from 'rate-limiter-flexible';
import { provideEnv } from '@/src/env';
import { countRequest } from '@/src/rate-limit/counter';

/** Makes this process a worker and the primary process of it at once, as two that know each other. */
function talkToOneself() {
  new RateLimiterClusterMaster();
  const worker = { send: (message: unknown) => process.emit('message', message, undefined) };
  process.send = (message: unknown) => cluster.emit('message', worker, message);
  provideEnv({ WORKER_NUMBER: '1' });
}

const { send } = process;
afterEach(() => {
  if (send) process.send = send;
  else delete process.send;
});

test('of what workers count, test mode has a window of its own', async () => {
  talkToOneself();
  const account = randomUUID();
  const left = async (mode: 'live' | 'test') => (await countRequest(account, mode)).state.remaining;
  expect([await left('live'), await left('live'), await left('test'), await left('live')]).toEqual([
    999, 998, 249, 997,
  ]);
});
