import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readMigrations } from '../../src/database/migrations/files';
import { type Deployment, deploy } from '../serverless/platform';
import { openTestDatabase, type TestDatabase } from './test-database';

declare global {
  var testDatabase: TestDatabase | undefined;
  var testDeployment: Deployment | undefined;
}

const outsideServices = [
  'OPENAI_API_KEY',
  'OPENAI_BASE_URL',
  'S3_ENDPOINT',
  'S3_BUCKET',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'STORAGE_PUBLIC_URL',
  'SMTP_URL',
  'MAIL_FROM',
];

/**
 * One database for the whole run: on the server of TEST_DATABASE_URL a new one, else an embedded
 * one. Every test makes its own account, so they share it without meeting.
 */
export default async function globalSetup(): Promise<void> {
  const snapshot = snapshotFile();
  if (process.env.TEST_FRONT === 'serverless') deployFunctions();
  const database = await openTestDatabase(snapshot);
  globalThis.testDatabase = database;
  // For those that open an embedded one themselves; on a server there may be no such file.
  process.env.TEST_DATABASE_SNAPSHOT = snapshot;
  // For the test files that need a database of their own.
  process.env.TEST_DATABASE_LENDER = database.lender ?? '';
  process.env.DATABASE_URL = database.url;
  process.env.DATABASE_POOL_SIZE = '5';
  process.env.SECRET_KEY = randomBytes(32).toString('hex');
  process.env.LOG_LEVEL ??= 'silent';
  process.env.ALLOW_PRIVATE_NETWORK = '';
  process.env.REDIS_URL = '';
  // Whoever tests it switches it on: elsewhere its writes would stand among those that are counted.
  process.env.REQUEST_LOG = 'off';
  // Whatever this machine is configured for, no test reaches a service that it did not open.
  for (const name of outsideServices) process.env[name] = '';
}

/** For all files of the run. What a function is made of has no database of its own to bring. */
function deployFunctions(): void {
  if (!process.env.TEST_DATABASE_URL) {
    throw new Error('TEST_FRONT=serverless needs a Postgres server: set TEST_DATABASE_URL.');
  }
  globalThis.testDeployment = deploy();
  process.env.TEST_FUNCTIONS = globalThis.testDeployment.folder;
}

/** Of the database that these migrations and these packages make, in the last run or in this one. */
function snapshotFile(): string {
  const root = join(__dirname, '../..');
  const made = createHash('sha256');
  for (const { script } of readMigrations(join(root, 'prisma/migrations'))) made.update(script);
  for (const file of [
    'package.json',
    'src/database/embedded/worker.ts',
    'test/helpers/temporary-database.ts',
  ]) {
    made.update(readFileSync(join(root, file)));
  }
  const folder = join(root, 'node_modules/.cache/test-database');
  const file = join(folder, made.digest('hex'));
  // Only the newest is kept.
  if (!existsSync(file)) rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return file;
}
