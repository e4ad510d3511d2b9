/**
 * `npm run bench:workers`: lists out of the cache, by one process and by two workers, in turns. The
 * built service on a fresh embedded database, or with BENCH_DATABASE_URL on one of that server; there
 * also by two services that share nothing else, which is what two processors allow. Clients run on
 * this machine too: those of wrk (Debian's package), which take little of its processors; clients of
 * Node.js would take more than the service.
 */
import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freshDatabase } from '../test/smoke/databases';
import {
  killAll,
  resultOf,
  type Service,
  type Settings,
  startService,
} from '../test/smoke/processes';
import { cpuOfTree } from './list/cpu';

/** `npm run bench:workers -- 1` shows in a minute that it works. */
const rounds = Number(process.argv[2] ?? 3);
const connections = 64;
const loadSeconds = 8;
const warmUpSeconds = 4;

type Run = { perSecond: number; cpuMsPerList: number };

type Arrangement = { name: string; services: number; workers: number; runs: Run[] };

async function main(): Promise<void> {
  const database = await freshDatabase(process.env.BENCH_DATABASE_URL);
  const settings = {
    ...database.settings,
    LOG_LEVEL: 'warn',
    REQUEST_LOG: 'off',
    RATE_LIMIT_REQUESTS: '100000000',
  };
  try {
    const arrangements: Arrangement[] = [
      { name: 'one process', services: 1, workers: 1, runs: [] },
      { name: 'two workers', services: 1, workers: 2, runs: [] },
    ];
    if (process.env.BENCH_DATABASE_URL) {
      arrangements.push({ name: 'two services', services: 2, workers: 1, runs: [] });
    }
    for (let round = 0; round < rounds; round += 1) {
      for (const arrangement of arrangements) {
        arrangement.runs.push(await measure(settings, arrangement));
      }
    }
    for (const { name, runs } of arrangements) {
      const { perSecond, cpuMsPerList } = medianOf(runs);
      say(`${name}: ${perSecond} lists a second, ${cpuMsPerList} ms of CPU a list`);
    }
  } finally {
    killAll();
    await database.remove();
  }
}

async function measure(settings: Settings, { services, workers }: Arrangement): Promise<Run> {
  const running: Service[] = [];
  while (running.length < services) {
    running.push(await startService({ ...settings, WORKERS: String(workers) }));
  }
  const key = await keyFor(settings);
  for (const service of running) await ready(service, workers, key);
  const cpu = () => running.reduce((sum, { pid }) => sum + cpuOfTree(pid), 0);
  const before = cpu();
  const answered = await Promise.all(
    running.map((service) => list(service, key, loadSeconds, connections / services)),
  );
  const used = cpu() - before;
  for (const service of running) await service.end('SIGTERM');
  const lists = answered.reduce((sum, count) => sum + count, 0);
  return { perSecond: Math.round(lists / loadSeconds), cpuMsPerList: round(used / lists) };
}

let made: string | undefined;

async function keyFor(settings: Settings): Promise<string> {
  if (made) return made;
  const email = 'bench@example.com';
  const account = ['create', '--email', email, '--password', 'a long password'];
  await resultOf(settings, 'account', account);
  made = await resultOf(settings, 'api-key', ['create', '--email', email, '--scopes', 'read']);
  return made;
}

/** Until every worker answers, and has the list in its cache. */
async function ready(service: Service, workers: number, key: string): Promise<void> {
  const metrics = `http://127.0.0.1:${service.port}/api/metrics`;
  const isReady = async () =>
    (await (await fetch(metrics)).text()).includes(`\ntestimonials_processes ${workers}\n`);
  while (!(await isReady())) await sleep(100);
  await list(service, key, warmUpSeconds, connections);
}

/** Asks over so many connections at once. Resolves to how many lists came, all with status 200. */
async function list(
  { port }: Service,
  key: string,
  seconds: number,
  count: number,
): Promise<number> {
  const { stdout } = await promisify(execFile)('wrk', [
    ...['--threads', '1', '--connections', String(count), '--duration', `${seconds}s`],
    ...['--header', `Authorization: Bearer ${key}`],
    `http://127.0.0.1:${port}/api/v1/testimonials`,
  ]);
  const lists = /(\d+) requests in/.exec(stdout)?.[1];
  if (!lists || /Non-2xx|Socket errors/.test(stdout)) throw new Error(stdout);
  return Number(lists);
}

function medianOf(runs: Run[]): Run {
  const middle = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
  return {
    perSecond: middle(runs.map(({ perSecond }) => perSecond)),
    cpuMsPerList: middle(runs.map(({ cpuMsPerList }) => cpuMsPerList)),
  };
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

void main();
