import { setImmediate as turn } from 'node:timers/promises';
import { pool } from '@/src/database/client';
import { waitingRoom } from '@/src/events/waiting';

/** What a promise is settled with by now, or that it is not. */
export async function soFar<T>(promise: Promise<T>): Promise<T | 'waits'> {
  await turn();
  return Promise.race([promise, Promise.resolve('waits' as const)]);
}

/** Resolves once a request waits for events, and holds no connection. */
export async function whenWaiting(asking: Promise<unknown>): Promise<void> {
  const enter = jest.spyOn(waitingRoom(), 'enter');
  try {
    while (enter.mock.results.length === 0) await turn();
    const place: unknown = enter.mock.results[0]?.value;
    const until = jest.spyOn(Object(place), 'until');
    while (until.mock.calls.length === 0) await turn();
  } finally {
    enter.mockRestore();
  }
  // But for the moment of a poll.
  while (pool().idleCount < pool().totalCount) await turn();
  expect(await soFar(asking)).toBe('waits');
}
