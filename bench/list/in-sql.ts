/** What counters, indexes and checks cost an insert, without the service around it. */
import type { Client } from 'pg';
import { createTestimonialInput } from '../../src/testimonials/schema';
import { percentile } from '../report';
import { cpuOfPostgres } from './cpu';
import { createdEmail, testimonials } from './data';
import type { BenchDatabase } from './load';
import type { Sample, Samples } from './rounds';

const copy = 'bench_primary_key_alone';

/** What a create request inserts. */
const columns = ['user_id' as const, ...createTestimonialInput.keyof().options];

const withoutWaiting = ', not waiting for the disk';

/**
 * The same rows into the table as it is, and into a copy with its rows and the primary key alone, by
 * one connection: as writes are made, and without waiting for the disk, which shows what the wait
 * hides.
 */
export async function measureInserts(
  client: Client,
  database: BenchDatabase,
  options: { rounds: number; seconds: number },
): Promise<Samples> {
  await client.query(`DROP TABLE IF EXISTS ${copy}`);
  await client.query(`CREATE TABLE ${copy} (LIKE testimonials INCLUDING DEFAULTS)`);
  try {
    await client.query(`INSERT INTO ${copy} SELECT * FROM testimonials`);
    await client.query(`ALTER TABLE ${copy} ADD PRIMARY KEY (id)`);
    await client.query('VACUUM ANALYZE');
    const rows = testimonials(database.accounts, database.rows, 0, 5000).map((row) =>
      columns.map((column) => (column === 'submitter_email' ? createdEmail : row[column])),
    );
    const samples: Samples = new Map(
      ['', withoutWaiting].flatMap((how) => [
        [`with counters and indexes${how}`, []],
        [`primary key alone${how}`, []],
      ]),
    );
    for (let round = 0; round < options.rounds; round++) {
      for (const [label, rounds] of samples) {
        const table = label.startsWith('primary key alone') ? copy : 'testimonials';
        await client.query(
          `SET synchronous_commit = ${label.endsWith(withoutWaiting) ? 'off' : 'on'}`,
        );
        await insert(client, table, rows, 0.3);
        rounds.push(await insert(client, table, rows, options.seconds));
      }
    }
    return samples;
  } finally {
    await client.query(`DROP TABLE ${copy}`);
    await client.query('SET synchronous_commit = on');
  }
}

async function insert(
  client: Client,
  table: string,
  rows: unknown[][],
  seconds: number,
): Promise<Sample> {
  const text = `INSERT INTO ${table} (${columns.join(', ')})
    VALUES (${columns.map((_, index) => `$${index + 1}`).join(', ')})`;
  const times: number[] = [];
  const cpuBefore = await cpuOfPostgres(client);
  const begun = performance.now();
  while (performance.now() < begun + seconds * 1000) {
    const insertedAt = performance.now();
    await client.query({ name: table, text, values: rows[times.length % rows.length] });
    times.push(performance.now() - insertedAt);
  }
  const tookMs = performance.now() - begun;
  return {
    perSecond: (times.length / tookMs) * 1000,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    serverCpu: 0,
    postgresCpu: ((await cpuOfPostgres(client)) - cpuBefore) / times.length,
  };
}
