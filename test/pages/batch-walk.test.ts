import { TRPCClientError } from '@trpc/client';
import {
  type BatchProgress,
  inBatches,
  type NextBatch,
  runInBatches,
} from '@/app/(dashboard)/testimonials/batch-walk';

const ids = (count: number) => Array.from({ length: count }, (_, index) => `id-${index}`);

function tooFast() {
  const error = { code: -32_029, message: '', data: { code: 'RATE_LIMIT_EXCEEDED' } };
  return TRPCClientError.from({ error });
}

/** Runs over 250 ids; `apply` and `isStopped` are the test's. */
async function run(input: {
  apply: (batch: string[], call: number) => number;
  isStopped?: () => boolean;
  next?: NextBatch;
}) {
  const seen: BatchProgress[] = [];
  let calls = 0;
  let pauses = 0;
  const end = await runInBatches({
    next: input.next ?? inBatches(ids(250)),
    apply: async (batch) => {
      calls += 1;
      return input.apply(batch, calls);
    },
    isStopped: input.isStopped ?? (() => false),
    onProgress: (progress) => seen.push(progress),
    pause: async () => {
      pauses += 1;
    },
  });
  return { seen, end, calls, pauses };
}

test('goes through all, a hundred at a time, and says how far it is', async () => {
  const { seen, end, calls } = await run({ apply: (batch) => batch.length });
  expect(calls).toBe(3);
  expect(end.isWhole).toBe(true);
  expect(seen.map(({ done }) => done)).toEqual([100, 200, 250]);
});

test('notes every batch that fails, and goes on', async () => {
  const { end } = await run({
    apply: (batch, call) => {
      if (call > 1) throw new Error(`down ${call}`);
      return batch.length;
    },
  });
  expect(end).toMatchObject({ done: 100, error: new Error('down 3'), isWhole: true });
  expect(end.failedIds).toEqual(ids(250).slice(100));
});

test('waits where it was too fast, and tries the same again', async () => {
  const { seen, end, pauses } = await run({
    apply: (batch, call) => {
      if (call === 2) throw tooFast();
      return batch.length;
    },
  });
  expect(pauses).toBe(1);
  expect(seen.map(({ isWaiting }) => isWaiting)).toEqual([false, true, false, false]);
  expect(end).toMatchObject({ done: 250, failedIds: [] });
});

test('stops after the batch that is under way, and reads no further ids', async () => {
  let isStopped = false;
  let read = 0;
  const all = inBatches(ids(250));
  const { end, calls } = await run({
    next: () => {
      read += 1;
      return all();
    },
    isStopped: () => isStopped,
    apply: (batch) => {
      isStopped = true;
      return batch.length;
    },
  });
  expect([calls, read]).toEqual([1, 1]);
  expect(end).toMatchObject({ done: 100, isWhole: false });
});

test('ends, and says why, where the ids cannot be read any further', async () => {
  const { end } = await run({
    next: startingWith(ids(100), () => {
      throw new Error('unreadable');
    }),
    apply: (batch) => batch.length,
  });
  expect(end).toMatchObject({ done: 100, failedIds: [], isWhole: false });
  expect(end.error).toEqual(new Error('unreadable'));
});

test('waits where the ids were read too fast, says so, and reads the same again', async () => {
  let reads = 0;
  const { seen, end, pauses } = await run({
    next: startingWith(ids(100), () => {
      reads += 1;
      if (reads === 1) throw tooFast();
      return undefined;
    }),
    apply: (batch) => batch.length,
  });
  expect([reads, pauses]).toEqual([2, 1]);
  expect(seen.map(({ isWaiting }) => isWaiting)).toEqual([false, true, false]);
  expect(end).toMatchObject({ done: 100, isWaiting: false, isWhole: true });
});

test.each(['read', 'changed'])(
  'stops while it waits, as ids were %s too fast, and waits no more',
  async (what) => {
    let isStopped = false;
    const refuse = () => {
      isStopped = true;
      throw tooFast();
    };
    const { end, calls } = await run({
      next: what === 'read' ? startingWith(ids(100), refuse) : inBatches(ids(250)),
      isStopped: () => isStopped,
      apply: (batch, call) => (what === 'changed' && call === 2 ? refuse() : batch.length),
    });
    expect(calls).toBe(what === 'read' ? 1 : 2);
    expect(end).toMatchObject({ done: 100, failedIds: [], isWaiting: false, isWhole: false });
  },
);

/** These, and then what is read. */
function startingWith(first: string[], read: () => string[] | undefined): NextBatch {
  let isFirst = true;
  return async () => {
    if (!isFirst) return read();
    isFirst = false;
    return first;
  };
}
