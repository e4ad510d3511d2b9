import { randomUUID } from 'node:crypto';
import { provideEnv } from '@/src/env';
import { log } from '@/src/logging/log';
import { countRequest } from '@/src/rate-limit/counter';
import { secondsUntil } from '@/src/rate-limit/headers';

test('a worker whose primary process does not answer counts for itself, and says so once a minute', async () => {
  provideEnv({ WORKER_NUMBER: '1' });
  const warn = jest.spyOn(log(), 'warn').mockImplementation(() => {});
  const account = randomUUID();
  const counts = [await countRequest(account), await countRequest(account)];
  expect(counts.map(({ state }) => state.remaining)).toEqual([999, 998]);
  expect(warn.mock.calls).toEqual([[expect.objectContaining({ times: 1 }), expect.any(String)]]);
});

test.each([
  [1, 1],
  [1000, 1],
  [1001, 2],
  [0, 1],
  [-5, 1],
])('of %d ms a client is told to wait %d s: neither too short nor none', (ms, seconds) => {
  expect(secondsUntil(1_000_000 + ms, 1_000_000)).toBe(seconds);
});
