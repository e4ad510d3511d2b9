/**
 * `npm run bench:replica`: what a list costs the databases, read from a standby and read from the
 * primary, in turns, by the built service without its cache. With a Postgres of its own and a standby
 * that follows it all the while, and their CPU time together.
 *   --rounds 3      how often each is measured
 *   --seconds 8     how long each time
 *   --rows 50000    of all accounts
 */
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { withTemporaryFolder } from '../src/file-system/temporary-folder';
import { endPrograms, type Program, startPostgres, startStandby } from '../test/chaos/servers';
import { type LoadClient, startClient } from './list/client-process';
import { cpuOfTree } from './list/cpu';
import { type BenchDatabase, provideDatabase, within } from './list/load';
import { list } from './list/requests';
import { type Running, Servers } from './list/servers';
import { percentile, say } from './report';

/** Times what the primary alone needs. */
const bound = 1.15;

const connections = 8;

const options = {
  rounds: { type: 'string', default: '3' },
  seconds: { type: 'string', default: '8' },
  rows: { type: 'string', default: '50000' },
} as const;

async function main(): Promise<void> {
  const { values } = parseArgs({ options });
  const note = (line: string) => process.stderr.write(`${line}\n`);
  const primary = await startPostgres();
  if (!primary) throw new Error('Postgres is not installed here');
  const made = { isFresh: true, say: note };
  const database = await provideDatabase(primary.url, Number(values.rows), made);
  await within(database.url, (client) => client.query('CHECKPOINT'));
  const standby = await startStandby(primary);
  if (!standby) throw new Error('pg_basebackup is not installed here');
  const [load = 0] = loadavg();
  say('load of the machine before', load.toFixed(1));
  await withTemporaryFolder((folder) =>
    measure(database, [primary, standby], folder, {
      rounds: Number(values.rounds),
      seconds: Number(values.seconds),
    }),
  );
}

async function measure(
  database: BenchDatabase,
  [primary, standby]: [Program, Program],
  folder: string,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<void> {
  const servers = new Servers({ large: database, small: database }, folder);
  const readUrl = new URL(database.url);
  readUrl.port = String(standby.port);
  const client = startClient();
  const plain = { CACHE_BYTES: '0', LOG_LEVEL: 'warn' };
  const byPrimary = await servers.startService(database, plain);
  const byStandby = await servers.startService(database, {
    ...plain,
    DATABASE_READ_URLS: readUrl.href,
  });
  const run = (of: Running) =>
    cpuOfLists(of, { client, database, seconds, servers: [primary, standby] });
  try {
    for (const service of [byPrimary, byStandby]) await run(service);
    const ratios: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const before = await answeredBy(byStandby);
      // Now the one first, now the other.
      const first = await run(round % 2 === 0 ? byPrimary : byStandby);
      const second = await run(round % 2 === 0 ? byStandby : byPrimary);
      const [here, there] = round % 2 === 0 ? [first, second] : [second, first];
      const share = ((await answeredBy(byStandby)) - before) / there.lists;
      ratios.push(there.cpuMs / here.cpuMs);
      say('CPU of both databases, a list from the primary', threeDigits(here.cpuMs));
      say(
        `the same from the standby (${(share * 100).toFixed(0)} % were)`,
        threeDigits(there.cpuMs),
      );
    }
    const ratio = percentile(ratios, 0.5);
    const verdict = ratio <= bound ? 'met' : 'MISSED';
    say(
      `ratios ${ratios.map((one) => one.toFixed(2)).join(', ')}; in the middle`,
      ratio.toFixed(2),
    );
    say(`must be at most ${bound}`, verdict);
  } finally {
    client.close();
    for (const service of [byPrimary, byStandby]) await service.stop();
  }
}

/** Milliseconds of both servers for each list of an account of some hundreds of testimonials. */
async function cpuOfLists(
  { origin }: Running,
  of: { client: LoadClient; database: BenchDatabase; seconds: number; servers: Program[] },
): Promise<{ cpuMs: number; lists: number }> {
  const cpu = () => of.servers.reduce((sum, { pid }) => sum + cpuOfTree(pid), 0);
  const requests = of.database.accounts.slice(-20).map((account) => list(account));
  const before = cpu();
  const { count } = await of.client.run({
    ...{ origin, requests, seconds: of.seconds },
    concurrency: connections,
    isStable: true,
  });
  return { cpuMs: (cpu() - before) / count, lists: count };
}

/** How many reads a replica has answered so far. */
async function answeredBy({ origin }: Running): Promise<number> {
  const text = await (await fetch(`${origin}/api/metrics`)).text();
  return Number(/^testimonials_replica_reads_total\{outcome="answered"\} (\d+)$/m.exec(text)?.[1]);
}

function threeDigits(value: number): string {
  return `${value.toFixed(3)} ms`;
}

main()
  .catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  })
  .finally(() => {
    endPrograms();
    process.exit();
  });
