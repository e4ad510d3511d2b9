/** Brings what the service is compared with: installed from npm and built where it is not yet. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { type BenchDatabase, within } from './load';

const run = promisify(execFile);
const projectFolder = resolve(__dirname, '../..');
const floorsFolder = join(projectFolder, 'bench', 'floors');

export const directusToken = 'the-token-of-the-list-benchmark';

/** Without its cache, limits and telemetry, which are off by default but for the last. */
export function directusEnv(databaseUrl: string): Record<string, string> {
  return {
    DB_CLIENT: 'pg',
    DB_CONNECTION_STRING: databaseUrl,
    // Its own tables lie apart from the service's.
    DB_SEARCH_PATH: 'array:directus,public',
    SECRET: 'a secret that signs nothing of worth',
    ADMIN_EMAIL: 'admin@example.com',
    ADMIN_PASSWORD: 'a password for the benchmark',
    ADMIN_TOKEN: directusToken,
    HOST: '127.0.0.1',
    PUBLIC_URL: 'http://127.0.0.1',
    LOG_LEVEL: 'error',
    TELEMETRY: 'false',
  };
}

/** @throws Error where npm cannot install it */
export async function provideFastify(floor: 'fastify' | 'fastify-duties'): Promise<void> {
  await install(floor);
}

/** An empty route, built with the project's own Next. */
export async function provideEmptyNext(): Promise<void> {
  const folder = join(floorsFolder, 'next');
  if (existsSync(join(folder, '.next', 'BUILD_ID'))) return;
  const next = join(projectFolder, 'node_modules/next/dist/bin/next');
  const env = { ...process.env, NODE_ENV: 'production' as const };
  await run(process.execPath, [next, 'build', folder], { cwd: projectFolder, env });
}

/**
 * Directus on the same database, in a schema of its own.
 * @throws Error where it cannot be installed or does not run on this Node
 */
export async function provideDirectus({ url }: BenchDatabase): Promise<void> {
  await install('directus');
  await removeDirectus(url);
  await within(url, (client) => client.query('CREATE SCHEMA directus'));
  const cli = join(floorsFolder, 'directus/node_modules/directus/cli.js');
  const env = { ...process.env, ...directusEnv(url) };
  await run(process.execPath, [cli, 'bootstrap'], { cwd: join(floorsFolder, 'directus'), env });
}

export async function removeDirectus(url: string): Promise<void> {
  await within(url, async (client) => {
    await client.query(`SET client_min_messages = warning`);
    await client.query('DROP SCHEMA IF EXISTS directus CASCADE');
  });
}

/** Into a folder of its own, without a lock: the versions it needs are pinned. */
async function install(floor: string): Promise<void> {
  const folder = join(floorsFolder, floor);
  if (existsSync(join(folder, 'node_modules'))) return;
  const args = ['install', '--no-package-lock', '--no-audit', '--no-fund', '--prefix', folder];
  await run('npm', args, { cwd: folder, maxBuffer: 100_000_000 });
}
