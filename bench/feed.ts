/**
 * What the feed of events costs, on a Postgres server on this machine (Linux):
 *   BENCH_DATABASE_URL=postgresql://… npm run bench:feed
 * Works in a database of its own, which it drops at the end.
 *   --events 1000000   in the large account; the small one has 1,000
 *   --waiting 1000     requests that wait at once, a hundred of each account
 *   --rounds 3, --seconds 10
 */
import { once } from 'node:events';
import { Agent, get as sendGet } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { createApiKey } from '../src/api-keys/api-keys';
import { commandLine } from '../src/audit/actor';
import { database } from '../src/database/client';
import { writeCursor } from '../src/events/cursor';
import { latest, longestWaitSeconds } from '../src/events/schema';
import { withTemporaryFolder } from '../src/file-system/temporary-folder';
import { exampleTestimonial } from '../src/testimonials/schema';
import { type LoadRequest, type LoadResult, startClient } from './list/client-process';
import { cpuOfPostgres, cpuOfTree, residentBytes } from './list/cpu';
import type { BenchAccount } from './list/data';
import { Random } from './list/random';
import { get } from './list/requests';
import { type Running, Servers } from './list/servers';
import { fail, withOwnDatabase } from './own-database';
import { milliseconds, percentile, say } from './report';
import { makeAccount } from './webhook-rows';

const options = {
  events: { type: 'string', default: '1000000' },
  waiting: { type: 'string', default: '1000' },
  rounds: { type: 'string', default: '3' },
  seconds: { type: 'string', default: '10' },
} as const;

const { values } = parseArgs({ options });
const [events, waiting, rounds, seconds] = [
  Number(values.events),
  Number(values.waiting),
  Number(values.rounds),
  Number(values.seconds),
];

/** As many as may wait in one account. */
const waitingPerAccount = 100;
const pageLength = 100;
const eventsOfSmall = 1_000;
/** For requests to arrive, and for memory that is free to go back to the system. */
const settleMs = 3_000;

type Account = BenchAccount & { events: number };

async function main(url: string): Promise<void> {
  const database = { name: 'feed', url, rows: 0, accounts: [] };
  await withTemporaryFolder(async (folder) => {
    const servers = new Servers({ large: database, small: database }, folder);
    try {
      await benchPages(await servers.get('service without cache'));
      const collector = join(__dirname, 'list', 'collect-garbage.mjs');
      const service = await servers.startService(database, {}, [
        '--expose-gc',
        '--import',
        collector,
      ]);
      await benchWaiting(service, url).finally(service.stop);
    } finally {
      await servers.stopAll();
    }
  });
}

/** Pages of 100 at random places, in a large feed and in a small one, in turn. */
async function benchPages({ origin, pid }: Running): Promise<void> {
  const small = await accountWith(eventsOfSmall);
  const large = await accountWith(events);
  await database().$executeRaw`VACUUM ANALYZE webhook_events`;
  const client = startClient();
  const drive = async (account: Account, load: { count: number } | { seconds: number }) => {
    const before = cpuOfTree(pid);
    const requests = pagesOf(account);
    const result = await client.run({ origin, requests, concurrency: 4, isStable: true, ...load });
    return { ...result, cpu: (cpuOfTree(pid) - before) / result.count };
  };
  try {
    for (const account of [small, large]) await drive(account, { count: 1_000 });
    const ratios: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const ofSmall = await drive(small, { seconds });
      const ofLarge = await drive(large, { seconds });
      sayPages(small, ofSmall);
      sayPages(large, ofLarge);
      ratios.push(ofLarge.p99 / ofSmall.p99);
    }
    say('p99 of the large feed against the small one', `${percentile(ratios, 0.5).toFixed(2)}`);
  } finally {
    client.close();
  }
}

function sayPages(account: Account, { p50, p99, cpu }: LoadResult & { cpu: number }): void {
  const times = `p50 ${milliseconds(p50)}, p99 ${milliseconds(p99)}`;
  say(
    `pages of ${pageLength} of ${account.events} events`,
    `${times}, server ${cpu.toFixed(2)} ms`,
  );
}

function pagesOf(account: Account): LoadRequest[] {
  const random = new Random(account.events);
  return Array.from({ length: 500 }, () => {
    const position = random.below(Math.max(1, account.events - pageLength));
    const after = writeCursor(account.id, { position, id: null });
    return get(account, `/events?limit=${pageLength}&after=${after}`);
  });
}

/** An account with a key, and so many events of a usual size in its feed. */
async function accountWith(count: number): Promise<Account> {
  const { accountId: id } = await makeAccount();
  const { key } = await createApiKey(id, { name: 'Bench', scopes: ['read'] }, commandLine);
  const data = JSON.stringify({ ...exampleTestimonial, text_content: 'x'.repeat(500) });
  const part = 50_000;
  for (let from = 1; from <= count; from += part) {
    await database().$executeRaw`
      INSERT INTO webhook_events (user_id, type, resource_id, sequence, data, position)
      SELECT ${id}::uuid, 'testimonial.created', gen_random_uuid(), 1, ${data}::json, position
      FROM generate_series(${from}::int, ${Math.min(count, from + part - 1)}::int) position`;
  }
  await database().$executeRaw`
    UPDATE users SET event_position = ${count}::int, stored_bytes = stored_bytes_of(id)
    WHERE id = ${id}::uuid`;
  return { id, key, email: '', spaceIds: [], events: count };
}

/** What the service holds and does while requests wait, and while none does, in turn. */
async function benchWaiting({ origin, pid }: Running, url: string): Promise<void> {
  const accounts: Account[] = [];
  for (let rest = waiting; rest > 0; rest -= waitingPerAccount)
    accounts.push(await accountWith(10));
  const postgres = new Client({ connectionString: url });
  await postgres.connect();
  const look = () => observe(pid, postgres);
  try {
    // The first time, code is loaded and compiled: it is not measured.
    await whileWaiting(origin, accounts, look);
    const bytes: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const none = await look();
      const some = await whileWaiting(origin, accounts, look);
      bytes.push(some.bytes - none.bytes);
      sayIdle('nobody waits', none);
      sayIdle(`${waiting} requests wait`, some);
    }
    say('memory of those who wait', `${(percentile(bytes, 0.5) / 1e6).toFixed(1)} MB`);
  } finally {
    await postgres.end();
  }
}

type Idle = { bytes: number; server: number; postgres: number };

/** Memory after a collection of garbage, and CPU in milliseconds per second. */
async function observe(pid: number, postgres: Client): Promise<Idle> {
  process.kill(pid, 'SIGUSR2');
  await sleep(settleMs);
  const bytes = residentBytes(pid);
  const cpu = async () => [cpuOfTree(pid), await cpuOfPostgres(postgres)] as const;
  const [server, ofPostgres] = await cpu();
  // Everybody still waits at the end.
  const windowSeconds = longestWaitSeconds - (3 * settleMs) / 1000;
  await sleep(windowSeconds * 1000);
  const [serverAfter, ofPostgresAfter] = await cpu();
  return {
    bytes,
    server: (serverAfter - server) / windowSeconds,
    postgres: (ofPostgresAfter - ofPostgres) / windowSeconds,
  };
}

function sayIdle(what: string, { bytes, server, postgres }: Idle): void {
  const cpu = `server ${server.toFixed(1)}, Postgres ${postgres.toFixed(1)} ms of CPU a second`;
  say(what, `${(bytes / 1e6).toFixed(0)} MB, ${cpu}`);
}

/** Runs a task while so many requests wait for events that do not come. */
async function whileWaiting<T>(
  origin: string,
  accounts: Account[],
  task: () => Promise<T>,
): Promise<T> {
  const agents: Agent[] = [];
  const answers: Promise<number>[] = [];
  for (const [index, { key }] of accounts.entries()) {
    // As from so many machines: one address may have a part of the connections only.
    const agent = new Agent({ keepAlive: true, localAddress: `127.0.0.${2 + (index % 200)}` });
    agents.push(agent);
    const mine = Math.min(waitingPerAccount, waiting - index * waitingPerAccount);
    for (let count = 0; count < mine; count += 1) answers.push(wait(origin, key, agent));
  }
  let answered = 0;
  for (const answer of answers) void answer.then(() => (answered += 1)).catch(() => {});
  try {
    await sleep(settleMs);
    const result = await task();
    if (answered > 0) throw new Error(`${answered} requests did not wait to the end`);
    const statuses = new Set(await Promise.all(answers));
    if (statuses.size !== 1 || !statuses.has(200)) throw new Error(`Answered ${[...statuses]}`);
    return result;
  } finally {
    for (const agent of agents) agent.destroy();
  }
}

async function wait(origin: string, key: string, agent: Agent): Promise<number> {
  const url = `${origin}/api/v1/events?after=${latest}&wait=${longestWaitSeconds}`;
  const request = sendGet(url, { agent, headers: { authorization: `Bearer ${key}` } });
  const [response] = await once(request, 'response');
  response.resume();
  await once(response, 'end');
  return response.statusCode;
}

withOwnDatabase(main).catch(fail);
