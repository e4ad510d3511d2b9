/**
 * What webhook deliveries cost and how fast they are, on a Postgres server:
 *   BENCH_DATABASE_URL=postgresql://… npm run bench:webhooks
 * Works in a database of its own, which it drops at the end.
 */
import { randomUUID } from 'node:crypto';
import { startDrain } from '../src/background/drain';
import { startLoop } from '../src/background/loop';
import { database } from '../src/database/client';
import { directWriter } from '../src/database/writer';
import { jobs, promptJobs } from '../src/jobs';
import { announceDue } from '../src/outbox/due';
import { createTestimonial, updateTestimonials } from '../src/testimonials/testimonials';
import { claimDue } from '../src/webhooks/sending/claim';
import { fail, withOwnDatabase } from './own-database';
import { startReceiver } from './receiver-process';
import { milliseconds, percentile, say } from './report';
import {
  addPending,
  makeAccount,
  makeAccountsWithEndpoint,
  makeEndpoints,
  makeTestimonials,
  removeAll,
} from './webhook-rows';

async function main(): Promise<void> {
  await benchBatch();
  await benchClaims();
  await benchSending();
}

/** One update of 100 testimonials, with no endpoint and with three. */
async function benchBatch(): Promise<void> {
  const medians: number[] = [];
  for (const endpoints of [0, 3]) {
    const { accountId, spaceId } = await makeAccount();
    await makeEndpoints(accountId, endpoints, 'http://127.0.0.1:9/');
    const ids = await makeTestimonials(accountId, spaceId, 100);
    const times = await timed(60, () =>
      updateTestimonials(accountId, ids, { status: 'approved' }, directWriter),
    );
    medians.push(percentile(times, 0.5));
    say(`batch of 100, ${endpoints} endpoints`, spread(times));
    await removeAll();
  }
  say(
    'three endpoints cost',
    `${((medians[1] ?? 0) / (medians[0] ?? 1)).toFixed(2)} times as much`,
  );
}

/** One claim of 64, with more and more pending, due or clogged by endpoints that are full. */
async function benchClaims(): Promise<void> {
  for (const pending of [1000, 10_000, 50_000, 200_000]) {
    await addPending(await makeAccountsWithEndpoint(pending / 10, 'http://127.0.0.1:9/'), 10);
    await database().$executeRaw`VACUUM ANALYZE webhook_deliveries`;
    say(`claim of 64, ${pending} pending, all due`, spread(await timedClaims()));
    await removeAll();
  }
  for (const pending of [1000, 10_000, 50_000, 200_000]) {
    const { accountId } = await makeAccount();
    const [full = ''] = await makeEndpoints(accountId, 1, 'http://127.0.0.1:9/');
    const others = await makeAccountsWithEndpoint(100, 'http://127.0.0.1:9/');
    await addPending([full], pending);
    await claim(64);
    await addPending(others, 1);
    await database().$executeRaw`VACUUM ANALYZE webhook_deliveries`;
    say(`claim of 64, behind ${pending} of one full endpoint`, spread(await timedClaims()));
    await removeAll();
  }
}

async function claim(free: number, token = randomUUID()) {
  const options = { free, underWay: new Map(), token, start: randomUUID() };
  return (await claimDue(options)).claimed;
}

/** Each claim is undone by hand, so that the next finds the same. */
async function timedClaims(): Promise<number[]> {
  const times: number[] = [];
  for (let count = 0; count < 30; count++) {
    const token = randomUUID();
    const begun = performance.now();
    const claimed = await claim(64, token);
    times.push(performance.now() - begun);
    if (claimed.length !== 64) throw new Error(`claimed ${claimed.length}`);
    await database().$executeRaw`
      UPDATE webhook_deliveries SET lease_token = NULL, leased_at = NULL, leased_until = NULL
      WHERE lease_token = ${token}::uuid`;
  }
  return times;
}

/** Deliveries per second of a backlog, and the time from a commit to the receipt of its event. */
async function benchSending(): Promise<void> {
  const receiver = await startReceiver();
  for (const endpoints of [1, 10, 100]) {
    const { accountId } = await makeAccount();
    await addPending(await makeEndpoints(accountId, endpoints, receiver.url), 6000 / endpoints);
    const begun = performance.now();
    const drain = startDrain(promptJobs, { deadlineAt: Date.now() + 120_000 });
    const { started: sent } = await drain.finished;
    const perSecond = (sent / (performance.now() - begun)) * 1000;
    say(`${sent} deliveries to ${endpoints} endpoints`, `${perSecond.toFixed(0)} per second`);
    await receiver.received(sent);
    await removeAll();
  }

  const loop = startLoop(jobs, { isAlone: false });
  for (const perSecond of [5, 300]) {
    const { accountId, spaceId } = await makeAccount();
    await makeEndpoints(accountId, 3, receiver.url);
    const committed = await writeAtRate(accountId, spaceId, perSecond / 3, 10);
    const received = await receiver.received(committed.size * 3);
    const times = received.map(({ id, at }) => at - (committed.get(id) ?? Number.NaN));
    say(`commit to receipt at ${perSecond} deliveries per second`, spread(times));
    await removeAll();
  }
  await loop.stop({ graceMs: 1000 });
  receiver.close();
}

/** Creates testimonials at a steady rate. Returns when each was committed, by its id. */
async function writeAtRate(
  accountId: string,
  spaceId: string,
  perSecond: number,
  seconds: number,
): Promise<Map<string, number>> {
  const committed = new Map<string, number>();
  const begun = performance.now();
  const writes: Promise<void>[] = [];
  for (let count = 0; count < perSecond * seconds; count++) {
    await until(begun + (count * 1000) / perSecond);
    const write = createTestimonial(
      accountId,
      {
        space_id: spaceId,
        type: 'text',
        status: 'pending',
        submitter_name: 'Ada Park',
        submitter_email: 'ada@example.com',
        text_content: 'x'.repeat(500),
      },
      directWriter,
    );
    writes.push(
      write.then(({ id }) => {
        committed.set(id, performance.timeOrigin + performance.now());
        return announceDue();
      }),
    );
  }
  await Promise.all(writes);
  return committed;
}

async function until(at: number): Promise<void> {
  const restMs = at - performance.now();
  if (restMs > 0) await new Promise((done) => setTimeout(done, restMs));
}

async function timed(times: number, task: () => Promise<unknown>): Promise<number[]> {
  await task();
  const durations: number[] = [];
  for (let count = 0; count < times; count++) {
    const begun = performance.now();
    await task();
    durations.push(performance.now() - begun);
  }
  return durations;
}

function spread(times: number[]): string {
  return `p50 ${milliseconds(percentile(times, 0.5))}, p99 ${milliseconds(percentile(times, 0.99))}`;
}

withOwnDatabase(main).catch(fail);
