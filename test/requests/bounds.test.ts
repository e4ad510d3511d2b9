/** @jest-environment ./test/helpers/own-environment.ts */
import { log as serviceLog } from '@/src/logging/log';
import type { Entry } from '@/src/requests/entry';
import { requestLogLimits } from '@/src/requests/limits';
import { createRequestLog } from '@/src/requests/request-log';
import { entry } from './entry';

const minute = 60_000;
const limits = {
  ...requestLogLimits,
  rowsPerMinute: 5,
  refusalsPerMinute: 2,
  waitingRows: 10,
  flushRows: 4,
};

beforeEach(() => jest.useFakeTimers({ now: new Date('2026-11-22T10:00:00Z') }));

/** A log whose writes are kept here; it fails as long as `isAway`. */
function newLog() {
  const state = { written: [] as Entry[][], tries: 0, isAway: false };
  const log = createRequestLog(async (entries) => {
    state.tries += 1;
    if (state.isAway) throw new Error('no database');
    state.written.push(entries);
  }, limits);
  return { log, state, rows: () => state.written.flat() };
}

describe('a flood', () => {
  test('of an account has as many rows of a minute as may be, and the rest is counted by status', async () => {
    const { log, rows } = newLog();
    for (let count = 0; count < 20; count += 1) log.add(entry('a', 200), false);
    for (let count = 0; count < 3; count += 1) log.add(entry('a', 404), false);
    await log.flush();
    expect(rows()).toHaveLength(5);
    jest.setSystemTime(Date.now() + minute);
    await log.flush();
    expect(rows().slice(5)).toEqual([
      expect.objectContaining({ accountId: 'a', status: 200, count: 15 }),
      expect.objectContaining({ accountId: 'a', status: 404, count: 3 }),
    ]);
    for (let count = 0; count < 5; count += 1) log.add(entry('a'), false);
    await log.flush();
    expect(rows()).toHaveLength(12);
  });

  test('of what is refused has fewer, and takes none from what is not', async () => {
    const { log, rows } = newLog();
    for (let count = 0; count < 50; count += 1) log.add(entry('a', 429), true);
    for (let count = 0; count < 3; count += 1) log.add(entry('a', 200), false);
    await log.flush();
    expect(rows().map(({ status }) => status)).toEqual([429, 429, 200, 200, 200]);
  });

  test('takes nothing from another account', async () => {
    const { log, rows } = newLog();
    for (let count = 0; count < 50; count += 1) log.add(entry('a'), false);
    log.add(entry('b'), false);
    await log.flush();
    expect(rows().filter(({ accountId }) => accountId === 'b')).toHaveLength(1);
  });

  test('of what is refused is bounded, and counted, for each account alone', async () => {
    const { log, rows } = newLog();
    for (let count = 0; count < 8; count += 1) log.add(entry('a', 429), true);
    for (let count = 0; count < 7; count += 1) log.add(entry('b', 429), true);
    await log.stop();
    const countsOf = (account: string) =>
      rows().flatMap(({ accountId, count }) => (accountId === account ? [count] : []));
    expect([countsOf('a'), countsOf('b')]).toEqual([
      [1, 1, 6],
      [1, 1, 5],
    ]);
  });
});

describe('a process that stays', () => {
  test('writes a second later, in one batch; without anything to write it has no timer', async () => {
    const { log, state } = newLog();
    log.start();
    expect(jest.getTimerCount()).toBe(0);
    log.add(entry('a'), false);
    log.add(entry('b'), false);
    await jest.advanceTimersByTimeAsync(999);
    expect(state.tries).toBe(0);
    await jest.advanceTimersByTimeAsync(1);
    expect(state.written.map((batch) => batch.length)).toEqual([2]);
    expect(jest.getTimerCount()).toBe(0);
  });

  test('writes at once where many wait', async () => {
    const { log, rows } = newLog();
    log.start();
    for (let count = 0; count < 4; count += 1) log.add(entry('a'), false);
    await jest.advanceTimersByTimeAsync(0);
    expect(rows()).toHaveLength(4);
  });

  test('writes what a flood left out once its minute is over, without another request', async () => {
    const { log, rows } = newLog();
    log.start();
    for (let count = 0; count < 8; count += 1) log.add(entry('a'), false);
    await jest.advanceTimersByTimeAsync(minute + 2000);
    expect(rows().map(({ count }) => count)).toEqual([1, 1, 1, 1, 1, 3]);
    expect(jest.getTimerCount()).toBe(0);
  });

  test('goes on trying while the database is away, keeps to its bound, and loses no more than that', async () => {
    const { log, state, rows } = newLog();
    state.isAway = true;
    log.start();
    for (let turn = 0; turn < 5; turn += 1) {
      for (let count = 0; count < 5; count += 1) log.add(entry('a'), false);
      if (turn === 0) log.add(entry('b'), false);
      await jest.advanceTimersByTimeAsync(minute);
    }
    expect(state.tries).toBeGreaterThan(20);
    state.isAway = false;
    await jest.advanceTimersByTimeAsync(minute);
    expect(rows()).toHaveLength(10);
    expect(rows().filter(({ accountId }) => accountId === 'b')).toHaveLength(1);
  });

  test('while the database is away it is asked every few seconds, however many wait, and the log says so once', async () => {
    const warned = jest.spyOn(serviceLog(), 'warn').mockImplementation(() => {});
    const { log, state, rows } = newLog();
    state.isAway = true;
    log.start();
    log.add(entry('a'), false);
    await jest.advanceTimersByTimeAsync(limits.flushMs);
    expect(state.tries).toBe(1);
    for (const account of ['b', 'c', 'd', 'e', 'f']) log.add(entry(account), false);
    await jest.advanceTimersByTimeAsync(limits.retryMs - 1);
    expect(state.tries).toBe(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(state.tries).toBe(2);
    expect(warned).toHaveBeenCalledTimes(1);
    state.isAway = false;
    await jest.advanceTimersByTimeAsync(limits.retryMs);
    expect(rows()).toHaveLength(6);
    // Away again, it is news again.
    state.isAway = true;
    log.add(entry('a'), false);
    await jest.advanceTimersByTimeAsync(limits.flushMs);
    expect(warned).toHaveBeenCalledTimes(2);
  });

  test('asked to write while a write fails, it writes once more after that one', async () => {
    jest.spyOn(serviceLog(), 'warn').mockImplementation(() => {});
    const { log, state, rows } = newLog();
    state.isAway = true;
    log.add(entry('a'), false);
    const failing = log.flush();
    state.isAway = false;
    log.add(entry('b'), false);
    await log.flush();
    await failing;
    expect(rows()).toHaveLength(2);
  });

  test('writes all that waits when it stops, counts included', async () => {
    const { log, rows } = newLog();
    log.start();
    for (let count = 0; count < 7; count += 1) log.add(entry('a'), false);
    await log.stop();
    expect(rows().map(({ count }) => count)).toEqual([1, 1, 1, 1, 1, 2]);
    expect(jest.getTimerCount()).toBe(0);
  });

  test('tries again when it stops and the database does not take what waits at once', async () => {
    const { log, state, rows } = newLog();
    state.isAway = true;
    log.start();
    log.add(entry('a'), false);
    const stopped = log.stop();
    await jest.advanceTimersByTimeAsync(limits.stopRetryMs * 3);
    expect(state.tries).toBeGreaterThan(2);
    state.isAway = false;
    await jest.advanceTimersByTimeAsync(limits.stopRetryMs);
    await stopped;
    expect(rows()).toHaveLength(1);
    expect(jest.getTimerCount()).toBe(0);
  });

  test('says how many requests it has lost: once it writes again, and when it stops', async () => {
    const warned = jest.spyOn(serviceLog(), 'warn').mockImplementation(() => {});
    const told = jest.spyOn(serviceLog(), 'info').mockImplementation(() => {});
    const { log, state } = newLog();
    // Of three accounts, none of which has more than it may have of a minute.
    const addFifteen = () => {
      for (const account of ['a', 'b', 'c']) {
        for (let count = 0; count < 5; count += 1) log.add(entry(account), false);
      }
    };
    state.isAway = true;
    addFifteen();
    await log.flush();
    state.isAway = false;
    await log.flush();
    expect(told.mock.calls).toEqual([[{ dropped: 5 }, expect.any(String)]]);
    jest.setSystemTime(Date.now() + minute);
    state.isAway = true;
    addFifteen();
    const stopped = log.stop();
    await jest.advanceTimersByTimeAsync(limits.stopMs);
    await stopped;
    expect(warned).toHaveBeenLastCalledWith({ lost: 15, unclear: 0 }, expect.any(String));
  });

  test('says how many it has lost behind writes that only take long, once a minute', async () => {
    const warned = jest.spyOn(serviceLog(), 'warn').mockImplementation(() => {});
    // As behind a lock on the table: each comes to its end, and nothing fails.
    const slowly = () => new Promise<void>((done) => setTimeout(done, limits.flushMs));
    const log = createRequestLog(slowly, limits);
    const write = async () => {
      await jest.advanceTimersByTimeAsync(10 * limits.flushMs);
    };
    const loseFive = async (accounts: string[]) => {
      log.add(entry('z'), false);
      void log.flush();
      for (const account of accounts) {
        for (let count = 0; count < 5; count += 1) log.add(entry(account), false);
      }
      await write();
    };
    const told = [{ dropped: 5 }, expect.stringContaining('slowly')];
    await loseFive(['a', 'b', 'c']);
    expect(warned.mock.calls).toEqual([told]);
    await loseFive(['d', 'e', 'f']);
    expect(warned.mock.calls).toEqual([told]);
    jest.advanceTimersByTime(minute);
    log.add(entry('z'), false);
    void log.flush();
    await write();
    expect(warned.mock.calls).toEqual([told, told]);
  });

  test('what it was writing as it gave up is told of too, and each request that a row counts', async () => {
    const warned = jest.spyOn(serviceLog(), 'warn').mockImplementation(() => {});
    // As of a database whose host is gone: no answer, and no failure in time either.
    const log = createRequestLog(() => new Promise(() => {}), limits);
    for (let count = 0; count < 3; count += 1) log.add(entry('a'), false);
    void log.flush();
    for (let count = 0; count < 9; count += 1) log.add(entry('a'), false);
    const stopped = log.stop();
    await jest.advanceTimersByTimeAsync(limits.stopMs);
    await stopped;
    expect(warned).toHaveBeenLastCalledWith({ lost: 9, unclear: 3 }, expect.any(String));
  });

  test('does not wait for ever when it stops', async () => {
    const log = createRequestLog(() => new Promise(() => {}), limits);
    log.start();
    log.add(entry('a'), false);
    const stopped = log.stop();
    await jest.advanceTimersByTimeAsync(limits.stopMs);
    await stopped;
    expect(jest.getTimerCount()).toBe(0);
  });
});
