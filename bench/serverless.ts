/**
 * What a platform without long-lived processes is given and what it waits for, for each function that
 * answers data: the size of what it is packed with, and a cold start, from the start of a process to
 * its first answer, against the same request again. The database is on this machine.
 *
 *   BENCH_DATABASE_URL=postgresql://… npm run bench:serverless -- [--rounds 15]
 */
import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { createApiKey } from '../src/api-keys/api-keys';
import { commandLine } from '../src/audit/actor';
import { database } from '../src/database/client';
import { env } from '../src/env';
import { builtFunctions, bytesOf } from '../test/serverless/build';
import {
  createPlatform,
  type Deployment,
  deploy,
  type Platform,
} from '../test/serverless/platform';
import { fail, withOwnDatabase } from './own-database';
import { percentile } from './report';

const { rounds } = parseArgs({ options: { rounds: { type: 'string', default: '15' } } }).values;
const cronSecret = 'a secret of the scheduler';

type Asked = { name: string; title: string; path: string; method?: string; json?: unknown };

async function main(databaseUrl: string): Promise<void> {
  const deployment = deploy();
  try {
    const { key, spaceId } = await createAccount();
    const json = { space_id: spaceId, type: 'text', submitter_name: 'A', text_content: 'Text' };
    const list: Asked[] = [
      { name: 'api/v1/[[...path]]', title: 'a list of 50', path: '/api/v1/testimonials' },
      {
        name: 'api/v1/[[...path]]',
        title: 'a create',
        path: '/api/v1/testimonials',
        method: 'POST',
        json,
      },
      { name: 'api/cron', title: 'nothing due', path: '/api/cron' },
      { name: 'api/trpc/[trpc]', title: 'signed out', path: '/api/trpc/spaces.list' },
      { name: 'api/health', title: '', path: '/api/health' },
    ];
    print(['function', 'request', 'MiB', 'files', 'loaded', 'first', 'again', 'CPU', 'memory']);
    print(Array(9).fill('---'));
    for (const asked of list) await measure(asked, { deployment, databaseUrl, key });
  } finally {
    deployment.remove();
  }
}

/** An account with a key, and 50 testimonials. */
async function createAccount(): Promise<{ key: string; spaceId: string }> {
  const id = randomUUID();
  await database().user.create({ data: { id, name: 'Bench', email: `${id}@example.com` } });
  const { key } = await createApiKey(id, { name: 'Bench', scopes: ['read', 'write'] }, commandLine);
  const space = await database().space.create({ data: { user_id: id, name: 'Bench', slug: id } });
  await database().$executeRaw`
    INSERT INTO testimonials (space_id, user_id, type, submitter_name, text_content)
    SELECT ${space.id}::uuid, ${id}::uuid, 'text', 'Ada', repeat('A text of some length. ', 20)
    FROM generate_series(1, 50)`;
  return { key, spaceId: space.id };
}

type Setting = { deployment: Deployment; databaseUrl: string; key: string };

/** Medians, of milliseconds but for the size and the memory. */
async function measure(asked: Asked, { deployment, databaseUrl, key }: Setting): Promise<void> {
  const of = builtFunctions().find(({ name }) => name === asked.name);
  if (!of) throw new Error(`There is no function ${asked.name}`);
  const taken: Record<'loaded' | 'first' | 'again' | 'cpu' | 'memory', number[]> = {
    loaded: [],
    first: [],
    again: [],
    cpu: [],
    memory: [],
  };
  for (let round = 0; round < Number(rounds); round += 1) {
    const platform = createPlatform({
      deployment,
      environment: () => ({
        DATABASE_URL: databaseUrl,
        DATABASE_POOL_SIZE: '1',
        SECRET_KEY: env().SECRET_KEY ?? '',
        CRON_SECRET: cronSecret,
        LOG_LEVEL: 'error',
      }),
      requestsPerInstance: 2,
      leavesOutbox: false,
    });
    const first = await ask(platform, asked, key);
    const again = await ask(platform, asked, key);
    taken.loaded.push(first.loadedMs);
    taken.first.push(first.ms);
    taken.again.push(again.ms);
    taken.cpu.push(first.cpuMs);
    taken.memory.push(first.memoryBytes);
    await platform.close();
  }
  const median = (values: number[]) => percentile(values, 0.5);
  print([
    asked.name,
    asked.title,
    (bytesOf(of) / 1024 ** 2).toFixed(1),
    String(of.files.length),
    `${median(taken.loaded).toFixed(0)} ms`,
    `${median(taken.first).toFixed(0)} ms`,
    `${median(taken.again).toFixed(0)} ms`,
    `${median(taken.cpu).toFixed(0)} ms`,
    `${(median(taken.memory) / 1024 ** 2).toFixed(0)} MiB`,
  ]);
}

async function ask(platform: Platform, { path, method = 'GET', json }: Asked, key: string) {
  const startedAt = performance.now();
  const { response, instance, finished } = await platform.fetch(path, {
    method,
    headers: {
      authorization: `Bearer ${path === '/api/cron' ? cronSecret : key}`,
      ...(json !== undefined && { 'content-type': 'application/json' }),
    },
    ...(json !== undefined && { body: JSON.stringify(json) }),
  });
  await response.arrayBuffer();
  const ms = performance.now() - startedAt;
  return { ms, loadedMs: instance.loadedMs, ...(await finished) };
}

function print(cells: string[]): void {
  process.stdout.write(`| ${cells.join(' | ')} |\n`);
}

withOwnDatabase(main).catch(fail);
