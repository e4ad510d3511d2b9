import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTestDatabase, type TestDatabase } from './test-database';

declare global {
  var testDatabase: TestDatabase | undefined;
  var testFolder: string | undefined;
}

const outsideServices = [
  'OPENAI_API_KEY',
  'OPENAI_BASE_URL',
  'S3_ENDPOINT',
  'S3_BUCKET',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'STORAGE_PUBLIC_URL',
];

/**
 * One database for the whole run: on the server of TEST_DATABASE_URL a new one, else an embedded
 * one. Every test makes its own account, so they share it without meeting.
 */
export default async function globalSetup(): Promise<void> {
  const database = await openTestDatabase();
  globalThis.testDatabase = database;
  globalThis.testFolder = mkdtempSync(join(tmpdir(), 'testimonials-test-'));
  // For the test files that need a database of their own.
  process.env.TEST_DATABASE_SNAPSHOT = join(globalThis.testFolder, 'snapshot');
  process.env.DATABASE_URL = database.url;
  process.env.DATABASE_POOL_SIZE = '5';
  process.env.SECRET_KEY = randomBytes(32).toString('hex');
  process.env.LOG_LEVEL ??= 'silent';
  process.env.ALLOW_PRIVATE_NETWORK = '';
  process.env.REDIS_URL = '';
  // Whatever this machine is configured for, no test reaches a service that it did not open.
  for (const name of outsideServices) process.env[name] = '';
}
