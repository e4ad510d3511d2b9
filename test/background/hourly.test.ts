import { hourlyJob } from '@/src/background/hourly';
import { log } from '@/src/log';

const minute = 60_000;

/** In which minutes of the first `minutes` an hourly job has a round. `failing`: which of them fail. */
async function roundsWithin(minutes: number, failing: (round: number) => boolean) {
  // Whole milliseconds add up exactly.
  let now = Math.ceil(performance.now());
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  jest.spyOn(log(), 'error').mockImplementation(() => {});
  const rounds: number[] = [];
  const job = hourlyJob('a job', async () => {
    rounds.push(at);
    if (failing(rounds.length)) throw new Error('no database');
  }).begin({ random: Math.random, isAlone: true, onDone: () => {} });
  let at = 0;
  for (; at < minutes; at += 1, now += minute) {
    await job.start();
    await job.settled();
  }
  return { rounds, dueInMs: await job.nextDueInMs() };
}

test('an hourly job has a round at the begin, and one an hour', async () => {
  const { rounds, dueInMs } = await roundsWithin(150, () => false);
  expect(rounds).toEqual([0, 60, 120]);
  expect(dueInMs).toBe(30 * minute);
});

test('a round that fails is repeated after a minute', async () => {
  const { rounds } = await roundsWithin(65, (round) => round === 1);
  expect(rounds).toEqual([0, 1, 61]);
});

test('one that goes on failing is repeated ever later, up to the hour', async () => {
  const { rounds } = await roundsWithin(250, () => true);
  expect(rounds).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183, 243]);
});

test('a failure that is over counts no more', async () => {
  const { rounds } = await roundsWithin(70, (round) => [1, 2, 4].includes(round));
  expect(rounds).toEqual([0, 1, 3, 63, 64]);
});

test('a round is over in ten seconds, and by the end of a process that does not stay', async () => {
  const now = Date.now();
  jest.spyOn(Date, 'now').mockReturnValue(now);
  const ends: number[] = [];
  for (const deadlineAt of [undefined, now + minute, now + 3_000]) {
    const job = hourlyJob('a job', async ({ endAt }) => ends.push(endAt - now)).begin({
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
