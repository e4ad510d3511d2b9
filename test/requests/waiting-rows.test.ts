import type { Entry } from '@/src/requests/entry';
import { createWaitingRows } from '@/src/requests/waiting-rows';
import { entry } from './entry';

test('what waits is bounded in rows: the oldest of the account that has most goes', () => {
  const waiting = createWaitingRows({ waitingRows: 6, waitingBytes: 1e9 });
  const [b1, b2] = [entry('b'), entry('b')];
  const many = Array.from({ length: 20 }, () => entry('a'));
  waiting.add(b1);
  for (const one of many) waiting.add(one);
  waiting.add(b2);
  expect(waiting.size()).toBe(6);
  expect(waiting.takeDropped()).toBe(16);
  expect(waiting.takeDropped()).toBe(0);
  expect(waiting.take(10)).toEqual([b1, b2, ...many.slice(-4)]);
});

test('what waits is bounded in bytes', () => {
  const waiting = createWaitingRows({ waitingRows: 1e9, waitingBytes: 10_000 });
  const large = (): Entry => ({
    ...entry('a'),
    request: {
      keyId: '',
      method: 'GET',
      route: undefined,
      path: '/',
      durationMs: 1,
      code: undefined,
      detail: 'x'.repeat(2000),
    },
  });
  waiting.add(entry('b'));
  for (let count = 0; count < 10; count += 1) waiting.add(large());
  expect(waiting.take(100).map(({ accountId }) => accountId)).toEqual(['b', 'a', 'a']);
  // Few that are large go before many that are small.
  waiting.takeDropped();
  for (let count = 0; count < 10; count += 1) waiting.add(entry('b'));
  for (let count = 0; count < 2; count += 1) waiting.add(large());
  expect(waiting.takeDropped()).toBe(1);
  expect(waiting.take(100)).toHaveLength(11);
});

test('what waits is taken in turns, and goes back to its place where it was not written', () => {
  const waiting = createWaitingRows({ waitingRows: 100, waitingBytes: 1e9 });
  const of = (account: string, count: number) =>
    Array.from({ length: count }, () => entry(account));
  const [a, b] = [of('a', 5), of('b', 2)];
  for (const one of [...a, ...b]) waiting.add(one);
  const first = waiting.take(3);
  expect(first).toEqual(a.slice(0, 3));
  waiting.putBack(first);
  expect(waiting.take(4)).toEqual([...b, ...a.slice(0, 2)]);
  expect(waiting.take(100)).toEqual(a.slice(2));
  expect(waiting.size()).toBe(0);
});

test('what waits is told of by requests where it goes, of which one row may count many', () => {
  const waiting = createWaitingRows({ waitingRows: 1, waitingBytes: 1e9 });
  waiting.add({ ...entry('a', 429), count: 7 });
  waiting.add(entry('a'));
  expect(waiting.takeDropped()).toBe(7);
});

test('what waits is bounded also by what comes back', () => {
  const waiting = createWaitingRows({ waitingRows: 4, waitingBytes: 1e9 });
  const three = () => Array.from({ length: 3 }, () => entry('a'));
  const [old, later] = [three(), three()];
  for (const one of old) waiting.add(one);
  const taken = waiting.take(3);
  for (const one of later) waiting.add(one);
  waiting.putBack(taken);
  expect(waiting.size()).toBe(4);
  expect(waiting.takeDropped()).toBe(2);
  expect(waiting.take(4)).toEqual([...old.slice(2), ...later]);
});
