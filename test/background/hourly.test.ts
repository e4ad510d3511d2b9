import { startDrain } from '@/src/background/drain';
import { hourlyJob } from '@/src/background/hourly';
import { log } from '@/src/logging/log';

const minute = 60_000;

// Whole milliseconds add up exactly. It goes on from test to test, as that of a process does.
let now = Math.ceil(performance.now());

beforeEach(() => {
  // What jobs of the test before were promised is over.
  now += 60 * minute;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  jest.spyOn(log(), 'error').mockImplementation(() => {});
});

/** What becomes of a job's round, by its number from 1 on. */
type Outcome = (round: number) => 'done' | 'left' | 'failed';

/** In which minutes of the first `minutes` each of some hourly jobs has a round. */
async function roundsOfEach(minutes: number, outcomes: Outcome[]) {
  let at = 0;
  const jobs = outcomes.map((outcome) => {
    const rounds: number[] = [];
    const job = hourlyJob('a job', async () => {
      rounds.push(at);
      const became = outcome(rounds.length);
      if (became === 'failed') throw new Error('no database');
      return became === 'left';
    });
    return { rounds, ...job.begin({ random: Math.random, isAlone: true, onDone: () => {} }) };
  });
  for (; at < minutes; at += 1, now += minute) {
    for (const job of jobs) await job.start();
    for (const job of jobs) await job.settled();
  }
  return jobs;
}

async function roundsWithin(minutes: number, outcome: Outcome) {
  const [job] = await roundsOfEach(minutes, [outcome]);
  return { rounds: job?.rounds, dueInMs: await job?.nextDueInMs() };
}

/** Fails in the rounds that are meant. */
const failing =
  (isMeant: (round: number) => boolean): Outcome =>
  (round) =>
    isMeant(round) ? 'failed' : 'done';

test('an hourly job has a round at the begin, and one an hour', async () => {
  const { rounds, dueInMs } = await roundsWithin(150, () => 'done');
  expect(rounds).toEqual([0, 60, 120]);
  expect(dueInMs).toBe(30 * minute);
});

test('a round that fails is repeated after a minute', async () => {
  const { rounds } = await roundsWithin(
    65,
    failing((round) => round === 1),
  );
  expect(rounds).toEqual([0, 1, 61]);
});

test('one that goes on failing is repeated ever later, up to the hour', async () => {
  const { rounds } = await roundsWithin(
    250,
    failing(() => true),
  );
  expect(rounds).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183, 243]);
});

test('a failure that is over counts no more', async () => {
  const { rounds } = await roundsWithin(
    70,
    failing((round) => [1, 2, 4].includes(round)),
  );
  expect(rounds).toEqual([0, 1, 3, 63, 64]);
});

test('a round is over in ten seconds, and by the end of a process that does not stay', async () => {
  const begunAt = Date.now();
  jest.spyOn(Date, 'now').mockReturnValue(begunAt);
  const ends: number[] = [];
  for (const deadlineAt of [undefined, begunAt + minute, begunAt + 3_000]) {
    const job = hourlyJob('a job', async ({ endAt }) => {
      ends.push(endAt - begunAt);
      return false;
    }).begin({
      random: Math.random,
      isAlone: true,
      deadlineAt,
      onDone: () => {},
    });
    await job.start();
    await job.settled();
  }
  expect(ends).toEqual([10_000, 10_000, 3_000]);
});

test('what a round leaves is gone on with after a minute, until nothing is left', async () => {
  const { rounds } = await roundsWithin(70, (round) => (round <= 3 ? 'left' : 'done'));
  expect(rounds).toEqual([0, 1, 2, 3, 63]);
});

test('jobs that all leave something go on in turn, one a minute', async () => {
  const jobs = await roundsOfEach(
    9,
    Array(3).fill(() => 'left'),
  );
  expect(jobs.map(({ rounds }) => rounds)).toEqual([
    [0, 1, 4, 7],
    [0, 2, 5, 8],
    [0, 3, 6],
  ]);
});

test('a minute is counted from the end of the round, and none begins beside another', async () => {
  let end = () => {};
  let rounds = 0;
  const job = hourlyJob('a job', async () => {
    rounds += 1;
    await new Promise<void>((done) => {
      end = done;
    });
    return true;
  }).begin({ random: Math.random, isAlone: true, onDone: () => {} });
  await job.start();
  now += 2 * minute;
  await job.start();
  expect(rounds).toBe(1);
  end();
  await job.settled();
  expect(await job.nextDueInMs()).toBe(minute);
});

test('a round that fails is no success of the request that it was done for', async () => {
  const job = hourlyJob('a job', async () => {
    throw new Error('no right to create tables');
  });
  const drain = startDrain([job], { deadlineAt: Date.now() + minute });
  expect((await drain.finished).hasFailed).toBe(true);
});

test('each request for what is due has a round, whatever the one before has left', async () => {
  let rounds = 0;
  const job = hourlyJob('a job', async () => {
    rounds += 1;
    return true;
  });
  for (let request = 0; request < 3; request += 1) {
    await startDrain([job], { deadlineAt: Date.now() + minute }).finished;
  }
  expect(rounds).toBe(3);
});
