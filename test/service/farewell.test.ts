import { wholeTurn } from '@/src/http/stop-listening';
import { createFarewell } from '@/src/service/workers/farewell';
import { fakeWorker } from './fake-worker';

const notListening = { kind: 'not-listening' as const };
const noneListens = { kind: 'none-listens' as const };

test('one that is replaced may send its clients away: the others listen', () => {
  const [a, b] = [fakeWorker(), fakeWorker()];
  const { hear } = createFarewell(() => [a.worker, b.worker]);
  hear(a.worker, notListening);
  expect([a.told, b.told]).toEqual([[noneListens], []]);
});

test('of those that stop together, none sends a client away before the last listens no more', () => {
  const [a, b] = [fakeWorker(), fakeWorker()];
  const { begin, hear } = createFarewell(() => [a.worker, b.worker]);
  begin();
  hear(a.worker, notListening);
  expect([a.told, b.told]).toEqual([[], []]);
  hear(b.worker, notListening);
  expect([a.told, b.told]).toEqual([[noneListens], [noneListens]]);
});

test('one that has ended is not waited for', () => {
  const [a, b] = [fakeWorker(), fakeWorker()];
  const living = new Set([a.worker, b.worker]);
  const { begin, hear, check } = createFarewell(() => [...living]);
  begin();
  hear(a.worker, notListening);
  living.delete(b.worker);
  check();
  expect(a.told).toEqual([noneListens]);
});

test('one that has already said so when all begin to stop is not asked again', () => {
  const [a, b] = [fakeWorker(), fakeWorker()];
  const { begin, hear } = createFarewell(() => [a.worker, b.worker]);
  hear(a.worker, notListening);
  begin();
  hear(b.worker, notListening);
  expect(b.told).toEqual([noneListens]);
});

test('who waits for those that still come in is answered after a turn', async () => {
  const { told, worker } = fakeWorker();
  createFarewell(() => [worker]).hear(worker, { kind: 'turn-wanted' });
  expect(told).toEqual([]);
  await wholeTurn();
  await wholeTurn();
  expect(told).toEqual([{ kind: 'turn-over' }]);
});
