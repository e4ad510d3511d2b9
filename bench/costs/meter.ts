/** What work costs: CPU time of service and database, and bytes of write-ahead log. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { cpuOfPostgres } from '../list/cpu';
import { percentile } from '../report';
import type { Cost } from './figures';

/** The log of requests is written a second after the answers: it belongs to what they cost. */
const settleMs = 1_500;
/** Of the connection: it goes with it. */
const slot = 'testimonials_bench_costs';

export type Work = {
  /** Milliseconds of CPU that the service has used so far. */
  cpuOfService: () => number;
  /** Before each round, and no part of it. */
  prepare?: () => Promise<void>;
  /** Does it, and says how often. */
  run: (round: number) => Promise<number>;
};

/** The medians of some rounds. Each begins with a checkpoint, so that `images` is at its most. */
export async function costOf(client: Client, rounds: number, work: Work): Promise<Cost> {
  const costs: Cost[] = [];
  for (let round = 0; round < rounds; round++) costs.push(await measure(client, round, work));
  const median = (of: keyof Cost) =>
    percentile(
      costs.map((cost) => cost[of]),
      0.5,
    );
  return {
    service: median('service'),
    database: median('database'),
    wal: median('wal'),
    images: median('images'),
  };
}

async function measure(client: Client, round: number, work: Work): Promise<Cost> {
  await work.prepare?.();
  await client.query('CHECKPOINT');
  // Keeps what is written from here on, until it has been looked at.
  await client.query(`SELECT pg_create_physical_replication_slot('${slot}', true, true)`);
  const position = await walPosition(client);
  const service = work.cpuOfService();
  const database = await cpuOfPostgres(client);
  const count = await work.run(round);
  await sleep(settleMs);
  const used = {
    service: work.cpuOfService() - service,
    database: (await cpuOfPostgres(client)) - database,
  };
  const wal = await walSince(client, position);
  await client.query(`SELECT pg_drop_replication_slot('${slot}')`);
  return {
    service: used.service / count,
    database: used.database / count,
    wal: wal.records / count,
    images: wal.images / count,
  };
}

async function walPosition(client: Client): Promise<string> {
  const { rows } = await client.query<{ lsn: string }>(
    'SELECT pg_current_wal_flush_lsn()::text AS lsn',
  );
  return rows[0]?.lsn ?? '';
}

/** By pg_walinspect, which tells records from images of pages, and refuses to look at nothing. */
async function walSince(client: Client, from: string) {
  const until = await walPosition(client);
  if (until === from) return { records: 0, images: 0 };
  const { rows } = await client.query<{ records: number; images: number }>(
    `SELECT coalesce(sum(record_size), 0)::float8 AS records,
       coalesce(sum(fpi_size), 0)::float8 AS images
     FROM pg_get_wal_stats($1, $2)`,
    [from, until],
  );
  return rows[0] ?? { records: 0, images: 0 };
}
