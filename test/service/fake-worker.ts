import type { Worker } from 'node:cluster';
import type { ToWorker } from '@/src/service/workers/messages';

type FakeWorker = { worker: Worker; told: ToWorker[]; isConnected: boolean };

/** Of a worker: what it was told. */
export function fakeWorker(): FakeWorker {
  const fake: FakeWorker = { told: [], isConnected: true, worker: {} as Worker };
  fake.worker = {
    isConnected: () => fake.isConnected,
    send: (message: ToWorker) => fake.told.push(message) > 0,
  } as Partial<Worker> as Worker;
  return fake;
}
