import { createRelay } from '@/src/service/relay';
import { fakeWorker } from './fake-worker';

const counts = (name: string) => [{ name, aggregator: 'sum' }];

afterEach(() => jest.useRealTimers());

test('what one has written is told to the others, and not to itself', () => {
  const [a, b, c] = [fakeWorker(), fakeWorker(), fakeWorker()];
  const { hear } = createRelay(() => [a.worker, b.worker, c.worker]);
  const due = { kind: 'due' as const, accountIds: ['x'] };
  hear(a.worker, due);
  expect([a.told, b.told, c.told]).toEqual([[], [due], [due]]);
});

test('who asks for counts gets those of all others, each once', () => {
  const [a, b, c] = [fakeWorker(), fakeWorker(), fakeWorker()];
  const { hear } = createRelay(() => [a.worker, b.worker, c.worker]);
  hear(a.worker, { kind: 'counts-wanted', question: 7 });
  const asked = b.told[0];
  if (asked?.kind !== 'counts-wanted') throw new Error('Nobody was asked');
  const { question } = asked;
  hear(b.worker, { kind: 'counts', question, counts: counts('b') });
  hear(b.worker, { kind: 'counts', question, counts: counts('b again') });
  expect(a.told).toEqual([]);
  hear(c.worker, { kind: 'counts', question, counts: counts('c') });
  expect(a.told).toEqual([
    { kind: 'counts-of-others', question: 7, counts: [counts('b'), counts('c')] },
  ]);
});

test('who does not answer in time is left out, and one alone is answered at once', () => {
  jest.useFakeTimers();
  const [a, b] = [fakeWorker(), fakeWorker()];
  const { hear } = createRelay(() => [a.worker, b.worker]);
  hear(a.worker, { kind: 'counts-wanted', question: 1 });
  jest.advanceTimersByTime(2_000);
  expect(a.told).toEqual([{ kind: 'counts-of-others', question: 1, counts: [] }]);
  hear(b.worker, { kind: 'counts', question: 1, counts: counts('late') });
  expect(a.told).toHaveLength(1);
  const alone = createRelay(() => [a.worker]);
  alone.hear(a.worker, { kind: 'counts-wanted', question: 2 });
  expect(a.told.at(-1)).toEqual({ kind: 'counts-of-others', question: 2, counts: [] });
});
