import { drainOnDemand, startDrain } from '@/src/background/drain';
import { type Job, type JobContext, nothingStarted } from '@/src/background/job';
import { startLoop } from '@/src/background/loop';
import { createTurns } from '@/src/background/turn';
import { log } from '@/src/logging/log';
import { announceDue, setWorker } from '@/src/outbox/due';

afterEach(() => setWorker(() => {}));

/** A job with so many pieces of work, one at a time; `onStart` is called at each look. */
function pieces(count: number, onStart: () => void | Promise<void> = () => {}) {
  const state = { left: count, begun: 0, looks: 0, aborted: false, underWay: 0 };
  const job: Job = {
    name: 'pieces',
    begin({ onDone }: JobContext) {
      state.begun += 1;
      return {
        async start() {
          state.looks += 1;
          const isTooEarly = state.left === 0 || state.underWay > 0;
          await onStart();
          if (isTooEarly) return nothingStarted;
          state.left -= 1;
          state.underWay += 1;
          setImmediate(() => {
            state.underWay -= 1;
            onDone();
          });
          return { started: 1, isFull: true };
        },
        underWay: () => state.underWay,
        nextDueInMs: async () => undefined,
        abort: () => {
          state.aborted = true;
        },
        settled: async () => {
          while (state.underWay > 0) await new Promise(setImmediate);
        },
      };
    },
  };
  return { job, state };
}

const soon = () => ({ deadlineAt: Date.now() + 60_000 });

test('a drain does all that every job has, and counts it', async () => {
  const [one, two] = [pieces(5), pieces(3)];
  const { started, hasFailed } = await startDrain([one.job, two.job], soon()).finished;
  expect({ started, hasFailed }).toEqual({ started: 8, hasFailed: false });
  expect([one.state.left, two.state.left]).toEqual([0, 0]);
});

test('a job that fails to look keeps no other from its work, and the drain says so', async () => {
  const broken = pieces(1, () => {
    throw new Error('no database');
  });
  const working = pieces(4);
  const { started, hasFailed } = await startDrain([broken.job, working.job], soon()).finished;
  expect({ started, hasFailed }).toEqual({ started: 4, hasFailed: true });
  expect(broken.state.looks).toBe(1);
});

test('a job that goes on failing is told once in a while, and when that is over', async () => {
  let isAway = true;
  const { job } = pieces(0, () => {
    if (isAway) throw new Error('no database');
  });
  let now = performance.now();
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  const [error, info] = [jest.spyOn(log(), 'error'), jest.spyOn(log(), 'info')];
  const turns = createTurns([job], { random: Math.random, isAlone: false, onDone: () => {} });
  for (let second = 0; second < 50; second += 1, now += 1000) await turns.take();
  await turns.take();
  expect(error).toHaveBeenCalledTimes(1);
  // It is looked at again in a second, and not only when the longest sleep is over.
  expect(await turns.restMs(7000)).toBe(1000);
  isAway = false;
  now += 1000;
  await turns.take();
  await turns.take();
  expect(info).toHaveBeenCalledTimes(1);
  expect(info).toHaveBeenCalledWith({ job: job.name }, 'background job goes on again');
  jest.restoreAllMocks();
});

test('a drain whose time is up begins nothing more, and waits for what it has begun', async () => {
  const { job, state } = pieces(2);
  const clock = jest.spyOn(Date, 'now').mockReturnValueOnce(0).mockReturnValue(1);
  const { started } = await startDrain([job], { deadlineAt: 1 }).finished;
  clock.mockRestore();
  expect([started, state.left, state.underWay]).toEqual([1, 1, 0]);
});

test('while something is under way it is looked again each second, else when something is due', async () => {
  const { job, state } = pieces(0);
  const turns = createTurns([job], { random: Math.random, isAlone: false, onDone: () => {} });
  expect(await turns.restMs(7000)).toBe(7000);
  state.underWay = 1;
  expect(await turns.restMs(7000)).toBe(1000);
});

test('what is written while a drain looks in vain is still done by it', async () => {
  const late = pieces(0, async () => {
    if (late.state.looks > 1) return;
    await Promise.resolve();
    late.state.left = 1;
    expect(drain.wake()).toBe(true);
  });
  const drain = startDrain([late.job], soon());
  expect((await drain.finished).started).toBe(1);
  expect(drain.wake()).toBe(false);
});

test('where there may be more it is looked for at once, whether or not anything is done', async () => {
  jest.useFakeTimers();
  const [ofDrain, ofLoop] = [pieces(0), pieces(0)];
  const startsOf = ({ job, state }: typeof ofDrain): Job => ({
    ...job,
    begin: (context) => ({
      ...job.begin(context),
      start: async () => {
        state.looks += 1;
        return { started: 1, isFull: state.looks < 3 };
      },
    }),
  });
  const drain = startDrain([startsOf(ofDrain)], { deadlineAt: Date.now() + 1 });
  const loop = startLoop([startsOf(ofLoop)], { isAlone: false });
  await jest.advanceTimersByTimeAsync(0);
  expect([ofDrain.state.looks, ofLoop.state.looks]).toEqual([3, 3]);
  await jest.advanceTimersByTimeAsync(1000);
  expect((await drain.finished).started).toBe(3);
  await loop.stop({ graceMs: 0 });
  jest.useRealTimers();
});

test('a process that does not stay loads its jobs at the first write, and shares one drain', async () => {
  const { job, state } = pieces(2);
  let loads = 0;
  const load = async () => {
    loads += 1;
    return { promptJobs: [job] };
  };
  setWorker(undefined);
  drainOnDemand(load);
  expect(loads).toBe(0);
  await Promise.all([announceDue(), announceDue(), announceDue()]);
  expect([state.left, state.begun]).toEqual([0, 1]);
});

test('what is written four seconds after a drain began has one of its own, with all of its time', async () => {
  jest.useFakeTimers();
  const { job, state } = pieces(0);
  setWorker(undefined);
  drainOnDemand(async () => ({ promptJobs: [job] }));
  // There is something under way for as long as it lasts: no drain ends by itself.
  state.underWay = 1;
  const announced = [announceDue()];
  await jest.advanceTimersByTimeAsync(3_999);
  announced.push(announceDue());
  await jest.advanceTimersByTimeAsync(0);
  expect(state.begun).toBe(1);
  await jest.advanceTimersByTimeAsync(1);
  announced.push(announceDue());
  await jest.advanceTimersByTimeAsync(0);
  expect(state.begun).toBe(2);
  state.underWay = 0;
  await jest.advanceTimersByTimeAsync(1000);
  await Promise.all(announced);
  jest.useRealTimers();
});

test('a turn is full where one of the jobs is, and what is given back is that of all', async () => {
  const jobs = [pieces(0), pieces(1), pieces(0)];
  const turns = createTurns(
    jobs.map(({ job }) => job),
    { random: Math.random, isAlone: false, onDone: () => {} },
  );
  expect(await turns.take()).toEqual({ started: 1, isFull: true });
  turns.abort();
  expect(jobs.map(({ state }) => state.aborted)).toEqual([true, true, true]);
  await turns.settled();
});

test('a process with a loop starts no drain beside it', async () => {
  const { job, state } = pieces(1);
  const loop = startLoop([job], { isAlone: false });
  drainOnDemand(() => {
    throw new Error('not to be loaded');
  });
  await announceDue();
  while (state.left > 0) await new Promise(setImmediate);
  await loop.stop({ graceMs: 1000 });
  expect(state.aborted).toBe(false);
});

test('writes wake a loop at once, and then no more often than ten times a second', async () => {
  jest.useFakeTimers();
  const { job, state } = pieces(0);
  const loop = startLoop([job], { isAlone: false });
  await jest.advanceTimersByTimeAsync(1000);
  expect(state.looks).toBe(1);
  for (let write = 0; write < 99; write += 1) {
    await announceDue();
    await jest.advanceTimersByTimeAsync(1);
  }
  expect(state.looks).toBe(2);
  await jest.advanceTimersByTimeAsync(1);
  expect(state.looks).toBe(3);
  await announceDue();
  await jest.advanceTimersByTimeAsync(99);
  expect(state.looks).toBe(3);
  await jest.advanceTimersByTimeAsync(1);
  expect(state.looks).toBe(4);
  await loop.stop({ graceMs: 0 });
  jest.useRealTimers();
});
