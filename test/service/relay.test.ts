import { createMetrics, type Sources } from '@/src/metrics/metrics';
import { createRelay } from '@/src/service/workers/relay';
import { fakeWorker } from './fake-worker';

const counts = (name: string) => [{ name, type: 'gauge', aggregator: 'sum' }];

const sources: Sources = {
  pool: () => ({ busy: 0, idle: 0, waiting: 0, max: 10 }),
  cacheBytes: () => 0,
  backlog: async () => [],
  embeddedBytes: undefined,
};

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
  hear(a.worker, { kind: 'counts-wanted', question: 7, counts: counts('a') });
  const asked = b.told[0];
  if (asked?.kind !== 'counts-wanted') throw new Error('Nobody was asked');
  const { question } = asked;
  hear(b.worker, { kind: 'counts', question, counts: counts('b') });
  hear(b.worker, { kind: 'counts', question, counts: counts('b') });
  expect(a.told).toEqual([]);
  hear(c.worker, { kind: 'counts', question, counts: counts('c') });
  expect(a.told).toEqual([
    { kind: 'counts-of-others', question: 7, counts: [[], counts('b'), counts('c')] },
  ]);
});

test('of who does not answer in time the last counts are told, and one alone is answered at once', () => {
  jest.useFakeTimers();
  const [a, b] = [fakeWorker(), fakeWorker()];
  const { hear } = createRelay(() => [a.worker, b.worker]);
  const ask = (question: number) => {
    hear(a.worker, { kind: 'counts-wanted', question, counts: counts('a') });
    jest.advanceTimersByTime(2_000);
  };
  ask(1);
  expect(a.told).toEqual([{ kind: 'counts-of-others', question: 1, counts: [[]] }]);
  hear(b.worker, { kind: 'counts', question: 1, counts: counts('late') });
  expect(a.told).toHaveLength(1);
  ask(2);
  expect(a.told.at(-1)).toMatchObject({ question: 2, counts: [[], counts('late')] });
  const alone = createRelay(() => [a.worker]);
  alone.hear(a.worker, { kind: 'counts-wanted', question: 3, counts: counts('a') });
  expect(a.told.at(-1)).toEqual({ kind: 'counts-of-others', question: 3, counts: [[]] });
});

test('what a worker has counted stays when it ends, and what it was does not', async () => {
  const [a, b, c] = [fakeWorker(), fakeWorker(), fakeWorker()];
  const all = [a, b, c];
  const live = () => all.filter(({ isConnected }) => isConnected).map(({ worker }) => worker);
  const { hear } = createRelay(live);
  const of = new Map(all.map((one) => [one, createMetrics(sources)]));
  const countsOf = async (one: (typeof all)[number]) => (await of.get(one)?.ofProcess()) ?? [];
  /** The text that a worker which is asked answers with. */
  const scrape = async (by: (typeof all)[number]) =>
    of.get(by)?.render(async (own) => {
      hear(by.worker, { kind: 'counts-wanted', question: 1, counts: own });
      for (const other of all) {
        const asked = other.told.at(-1);
        if (other === by || !other.isConnected || asked?.kind !== 'counts-wanted') continue;
        const { question } = asked;
        hear(other.worker, { kind: 'counts', question, counts: await countsOf(other) });
      }
      const answer = by.told.at(-1);
      return answer?.kind === 'counts-of-others' ? answer.counts : [];
    });
  for (const metrics of of.values()) metrics.meter.attempt('succeeded', 0.2);
  const said = async (by: (typeof all)[number]) => {
    const text = (await scrape(by)) ?? '';
    return ['webhook_attempt_duration_seconds_count{outcome="succeeded"}', 'processes'].map(
      (series) => text.split(`\ntestimonials_${series} `)[1]?.split('\n', 1)[0],
    );
  };
  expect(await said(a)).toEqual(['3', '3']);
  // One that was asked itself, and one that was not.
  a.isConnected = false;
  expect(await said(b)).toEqual(['3', '2']);
  c.isConnected = false;
  expect(await said(b)).toEqual(['3', '1']);
  expect(await said(b)).toEqual(['3', '1']);
});
