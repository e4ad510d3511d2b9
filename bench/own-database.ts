import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { disconnect } from '../src/database/client';
import { migrate } from '../src/database/migrations/migrate';
import { provideEnv } from '../src/env';

/**
 * Runs a benchmark on the Postgres server of BENCH_DATABASE_URL, in a database of its own, which is
 * migrated before and dropped at the end. This process works in it too.
 */
export async function withOwnDatabase(task: (url: string) => Promise<void>): Promise<void> {
  const server = process.env.BENCH_DATABASE_URL;
  if (!server) throw new Error('Set BENCH_DATABASE_URL to a Postgres server, as postgresql://…');
  const name = `testimonials_bench_${randomBytes(4).toString('hex')}`;
  const admin = new Client({ connectionString: server });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name}`);
  try {
    const url = new URL(server);
    url.pathname = `/${name}`;
    await migrate({ url: url.href, log: () => {} });
    provideEnv({
      DATABASE_URL: url.href,
      SECRET_KEY: randomBytes(32).toString('hex'),
      ALLOW_PRIVATE_NETWORK: 'true',
      LOG_LEVEL: 'error',
    });
    await task(url.href);
    await disconnect();
  } finally {
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await admin.end();
  }
}

/** Ends the process with what went wrong. */
export function fail(error: unknown): never {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
