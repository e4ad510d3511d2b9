import { disconnect } from '@/src/database/client';
import { setWorker } from '@/src/outbox/due';
import { stopFunctions } from '../serverless/front';
import { stopNodeFront } from './client';
import { settled } from './next-server';

// Writes leave their deliveries in the outbox: tests of sending send them themselves.
setWorker(() => {});

// What the code or a library complains about is a failure, not noise.
let complaints: unknown[][] = [];

beforeEach(() => {
  complaints = [];
  jest.spyOn(console, 'error').mockImplementation((...args) => complaints.push(args));
});

afterEach(async () => {
  await settled();
  jest.restoreAllMocks();
  jest.useRealTimers();
  expect(complaints).toEqual([]);
});

afterAll(async () => {
  await Promise.all([stopNodeFront(), stopFunctions()]);
  // Not every file opens one, and to load it only to close it would take a while.
  if (Symbol.for('testimonials.database') in globalThis) await disconnect();
});
