/**
 * `npm run chaos`: the built service under faults of the network, the database, the disk and the
 * process, and under attacks, with servers of its own on the loopback interface. Prints a table and
 * ends with exit code 1 where something lies beyond the bounds.
 *   --short        what fits into a minute and a half
 *   --only <text>  the faults and attacks whose names contain it
 */
import { inspect, parseArgs } from 'node:util';
import { killAll } from '../smoke/processes';
import { attacks } from './attacks/attacks';
import { wrongClocks } from './faults/clocks';
import * as database from './faults/database';
import * as embedded from './faults/embedded';
import { failedMigration } from './faults/migration';
import { pooler } from './faults/pooler';
import { failingRedis, firstRequests } from './faults/redis';
import { killed, terminated } from './faults/stopping';
import { runProgram } from './program';
import { problemsOf, type Result, say, table } from './report';
import { startPostgres, startRedis } from './servers';

type Given = { server: string | undefined; redis: string | undefined; isShort: boolean };

/** Recovery in seconds after the fault has ended. The short form runs on machines with other work. */
function boundOf({ isShort }: Given): number {
  return isShort ? 12 : 6;
}

type Trial = {
  name: string;
  /** Without it, it is left out. */
  needs?: ('server' | 'redis')[];
  isLong?: boolean;
  /** Nothing, and why, where it cannot be tried here. */
  run(given: Given): Promise<Result | Result[] | undefined>;
  leftOut?: string;
};

function onServer(run: (server: string, given: Given) => ReturnType<Trial['run']>) {
  return async (given: Given) => (given.server ? run(given.server, given) : undefined);
}

const trials: Trial[] = [
  {
    name: 'swallowed packets',
    needs: ['server'],
    run: onServer((server) => database.swallowedPackets(server)),
  },
  {
    name: 'severed path',
    needs: ['server'],
    isLong: true,
    run: onServer((server) => database.severedPath(server, 8)),
  },
  {
    name: 'killed connections',
    needs: ['server'],
    run: onServer((server, { isShort }) => database.killedConnections(server, isShort ? 2 : 10)),
  },
  {
    name: 'pooler',
    needs: ['server'],
    run: onServer((server, { isShort }) => pooler(server, isShort ? 1 : 5)),
    leftOut: 'PgBouncer is not installed',
  },
  {
    name: 'wrong clocks',
    needs: ['server'],
    isLong: true,
    run: onServer((server) => wrongClocks(server)),
  },
  {
    name: 'full disk',
    isLong: true,
    run: () => embedded.fullDisk(),
    leftOut: 'no tmpfs can be mounted',
  },
  { name: 'foreign settings, embedded', isLong: true, run: () => embedded.foreignSettings() },
  { name: 'held transaction, embedded', isLong: true, run: () => embedded.heldTransaction() },
  { name: 'failed migration, embedded', run: () => failedMigration(undefined) },
  {
    name: 'failed migration, server',
    needs: ['server'],
    isLong: true,
    run: onServer((server) => failedMigration(server)),
  },
  { name: 'SIGTERM, embedded', isLong: true, run: () => terminated(undefined) },
  { name: 'SIGTERM, server', needs: ['server'], run: onServer((server) => terminated(server)) },
  { name: 'kill -9, embedded', isLong: true, run: () => killed(undefined) },
  { name: 'kill -9, server', needs: ['server'], run: onServer((server) => killed(server)) },
  {
    name: 'failing Redis',
    needs: ['redis'],
    run: async ({ server, redis, isShort }) =>
      redis ? failingRedis(server, redis, { isShort }) : undefined,
  },
  {
    name: 'Redis late at the start',
    needs: ['server', 'redis'],
    isLong: true,
    run: async ({ server, redis }) => (server && redis ? firstRequests(server, redis) : undefined),
  },
  ...attacks.map((attack) => ({
    name: `attack: ${attack.name}`,
    isLong: attack.isLong,
    run: ({ server, isShort }: Given) => attack.run(server, isShort),
  })),
];

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { short: { type: 'boolean', default: false }, only: { type: 'string', default: '' } },
  });
  const begun = performance.now();
  const postgres = await startPostgres();
  const redis = await startRedis();
  const given: Given = { server: postgres?.url, redis: redis?.url, isShort: values.short };
  const chosen = trials.filter(
    ({ name, isLong }) => name.includes(values.only) && !(values.short && isLong),
  );
  const results: Result[] = [];
  for (const trial of chosen) results.push(...(await runTrial(trial, given)));
  const seconds = ((performance.now() - begun) / 1000).toFixed(0);
  say(`\n${table(results)}\n`);
  const beyond = (result: Result) => problemsOf(result, boundOf(given));
  const failed = results.filter((result) => beyond(result).length > 0);
  for (const result of failed) say(`BEYOND ${result.name}: ${beyond(result).join('; ')}`);
  say(`${results.length - failed.length} within the bounds, ${failed.length} beyond, ${seconds} s`);
  if (failed.length > 0) process.exitCode = 1;
}

/** What fails to run at all is beyond the bounds as well. */
async function runTrial(trial: Trial, given: Given): Promise<Result[]> {
  const missing = trial.needs?.find((name) => !given[name]);
  if (missing) {
    const what = missing === 'server' ? 'Postgres is' : 'Redis is';
    say(`left out: ${trial.name}, for ${what} not installed`);
    return [];
  }
  try {
    const results = [(await trial.run(given)) ?? []].flat();
    if (results.length === 0) say(`left out: ${trial.name}, for ${trial.leftOut ?? 'no reason'}`);
    for (const result of results) {
      const isWithin = problemsOf(result, boundOf(given)).length === 0;
      say(`${isWithin ? 'ok    ' : 'BEYOND'} ${result.name}`);
    }
    return results;
  } catch (error) {
    say(`FAIL   ${trial.name}: ${inspect(error)}`);
    process.exitCode = 1;
    return [];
  } finally {
    killAll();
  }
}

runProgram(main);
