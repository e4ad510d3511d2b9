/** A database to write in, as large as one that is kept. */
import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { disconnect } from '../../src/database/client';
import { provideEnv } from '../../src/env';
import type { BenchDatabase } from '../list/load';

/**
 * Runs a task in a copy of a database, which is dropped at the end. This process works in it too.
 */
export async function withCopy<T>(
  server: string,
  original: BenchDatabase,
  task: (copy: BenchDatabase) => Promise<T>,
): Promise<T> {
  // Its processor's time is counted by this beginning (list/cpu.ts).
  const name = `testimonials_bench_costs_${randomBytes(4).toString('hex')}`;
  const url = new URL(server);
  url.pathname = `/${name}`;
  const admin = new Client({ connectionString: server });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name} TEMPLATE ${original.name}`);
  try {
    provideEnv({
      DATABASE_URL: url.href,
      SECRET_KEY: randomBytes(32).toString('hex'),
      ALLOW_PRIVATE_NETWORK: 'true',
      LOG_LEVEL: 'error',
    });
    return await task({ ...original, name, url: url.href });
  } finally {
    await disconnect();
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await admin.end();
  }
}
