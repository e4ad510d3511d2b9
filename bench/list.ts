/**
 * What the list and the other operations cost on a million rows, beside hand-written code and what
 * one would install instead:
 *   BENCH_DATABASE_URL=postgresql://… npm run bench:list
 * Keeps its databases, so that the next run need not load them.
 *   --only small,big   only these workloads
 *   --rounds 3         how often each is measured
 *   --seconds 3        how long each time
 *   --rows 1000000     of the large database
 *   --fresh            loads the databases again
 */
import { existsSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { withTemporaryFolder } from '../src/file-system/temporary-folder';
import { startClient } from './list/client-process';
import { isLocal } from './list/cpu';
import { provideDirectus, provideEmptyNext, provideFastify, removeDirectus } from './list/floors';
import { measureInserts } from './list/in-sql';
import { provideDatabase } from './list/load';
import { measureMemory } from './list/memory';
import { removeCreated } from './list/requests';
import { measure, type Tools } from './list/rounds';
import { type Databases, type ServerName, Servers } from './list/servers';
import { figureTable, type Line, linesOf, verdictTable } from './list/table';
import { judge, judgeMemory, type Results } from './list/targets';
import { makeWorkloads, type Workload } from './list/workloads';

const smallRows = 10_000;

type Options = { only: string[]; rounds: number; seconds: number; rows: number; fresh: boolean };

async function main(): Promise<void> {
  const options = readOptions();
  const server = process.env.BENCH_DATABASE_URL;
  if (!server) throw new Error('Set BENCH_DATABASE_URL to a Postgres server, as postgresql://…');
  await checkNeeds(server);
  const [load = 0] = loadavg();
  if (load > availableParallelism() / 4) {
    say(
      `Note: the machine has other work to do (load ${load.toFixed(1)}), and the figures show it.`,
    );
  }
  const databases = {
    large: await provideDatabase(server, options.rows, { isFresh: options.fresh, say }),
    small: await provideDatabase(server, smallRows, { isFresh: options.fresh, say }),
  };
  // What a run that was broken off has left.
  await removeCreated(databases.large);
  const postgres = new Client({ connectionString: databases.large.url });
  await postgres.connect();
  const client = startClient();
  try {
    await withTemporaryFolder(async (folder) => {
      const servers = new Servers(databases, folder);
      try {
        const tools = { ...options, servers, warm: new Set<ServerName>(), client, postgres };
        await measureAll(tools, databases, options);
      } finally {
        await servers.stopAll();
      }
    });
  } finally {
    client.close();
    await postgres.end();
    await removeDirectus(databases.large.url);
    await removeCreated(databases.large);
  }
}

async function measureAll(tools: Tools, databases: Databases, { only }: Options): Promise<void> {
  const { servers, client, postgres } = tools;
  const isAsked = (name: string) => only.length === 0 || only.includes(name);
  const workloads = (await makeWorkloads(databases)).filter(({ name }) => isAsked(name));
  const results: Results = new Map();
  const lines: Line[] = [];
  for (const workload of await withFloors(workloads, databases)) {
    await attempt(workload.name, async () => {
      const samples = await measure(workload, tools);
      results.set(workload.name, samples);
      lines.push(...linesOf(workload.title, workload.concurrency, samples));
    });
    if (!workload.isStable) await removeCreated(databases.large);
  }
  await servers.stopAll();
  if (isAsked('sql')) {
    await attempt('sql', async () => {
      const samples = await measureInserts(postgres, databases.large, tools);
      results.set('sql', samples);
      lines.push(...linesOf('insert in SQL', 1, samples));
    });
    await removeCreated(databases.large);
  }
  const verdicts = judge(results);
  if (isAsked('memory')) {
    await attempt('memory', async () => {
      verdicts.push(judgeMemory(await measureMemory(databases, servers, client)));
    });
  }
  say('\nMedians of the rounds. Times in milliseconds, CPU time per request.\n');
  say(figureTable(lines));
  say('\nRatios round by round; the median must be met. For CPU and inserts, more is better.\n');
  say(verdictTable(verdicts));
}

/** One measurement that fails does not spoil the others. */
async function attempt(name: string, task: () => Promise<void>): Promise<void> {
  say(`${name} …`);
  try {
    await task();
  } catch (error) {
    complain(`${name} failed: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Installs and builds what the workloads are compared with; what does not run here is left out. */
async function withFloors(workloads: Workload[], databases: Databases): Promise<Workload[]> {
  const providers: [ServerName, () => Promise<void>][] = [
    ['Fastify', () => provideFastify('fastify')],
    ['Fastify, same duties', () => provideFastify('fastify-duties')],
    ['empty Next route', provideEmptyNext],
    ['Directus', () => provideDirectus(databases.large)],
  ];
  const missing = new Set<ServerName>();
  for (const [name, provide] of providers) {
    const isNeeded = workloads.some(({ subjects }) => subjects.some((s) => s.server === name));
    if (!isNeeded) continue;
    say(`preparing ${name} …`);
    try {
      await provide();
    } catch (error) {
      const [reason] = (error instanceof Error ? error.message : String(error)).split('\n');
      complain(`${name} does not install or run here and is left out: ${reason}`);
      missing.add(name);
    }
  }
  return workloads.map((workload) => ({
    ...workload,
    subjects: workload.subjects.filter(({ server }) => !missing.has(server)),
  }));
}

/** @throws Error that names what is missing */
async function checkNeeds(server: string): Promise<void> {
  if (!existsSync('/proc/self/stat')) {
    throw new Error(
      'CPU time is read from /proc, which this system does not have: run it on Linux.',
    );
  }
  if (!existsSync(resolve(__dirname, '../.next/BUILD_ID'))) {
    throw new Error('The service is not built yet. Run "npm run build" first.');
  }
  const client = new Client({ connectionString: server });
  try {
    await client.connect();
  } catch (error) {
    throw new Error(`The Postgres server of BENCH_DATABASE_URL does not answer: ${error}`);
  }
  try {
    const { rows } = await client.query<{ may_create: boolean; has_trigrams: boolean }>(
      `SELECT rolcreatedb OR rolsuper AS may_create, EXISTS (
         SELECT FROM pg_available_extensions WHERE name = 'pg_trgm'
       ) AS has_trigrams
       FROM pg_roles WHERE rolname = current_user`,
    );
    if (!rows[0]?.may_create) throw new Error('The role may not create a database.');
    if (!rows[0].has_trigrams) {
      throw new Error(
        'The server lacks the extension pg_trgm, which comes with postgresql-contrib.',
      );
    }
    if (!(await isLocal(client))) {
      throw new Error(
        'The Postgres server runs elsewhere, or in a container: its CPU time is not seen.',
      );
    }
  } finally {
    await client.end();
  }
}

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', default: '' },
      rounds: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '3' },
      rows: { type: 'string', default: '1000000' },
      fresh: { type: 'boolean', default: false },
    },
  });
  return {
    only: values.only.split(',').filter(Boolean),
    rounds: Number(values.rounds),
    seconds: Number(values.seconds),
    rows: Number(values.rows),
    fresh: values.fresh,
  };
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function complain(line: string): void {
  process.stderr.write(`${line}\n`);
  process.exitCode = 1;
}

main().catch((error: unknown) => {
  complain(error instanceof Error ? error.message : String(error));
  process.exit();
});
