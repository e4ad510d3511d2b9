/**
 * What the other accounts notice while one asks its worst: short terms, deep pages, a sort without
 * an index, 32 at once.
 *   BENCH_DATABASE_URL=postgresql://… npm run bench:heavy
 * Keeps its database, which is that of `npm run bench:list` with as many rows.
 *   --rows 1000000   of which a fifth are the account's
 *   --seconds 10     how long each time
 */
import { parseArgs } from 'node:util';
import { withTemporaryFolder } from '../src/file-system/temporary-folder';
import { type LoadRequest, startClient } from './list/client-process';
import { bigAccount } from './list/data';
import { type BenchDatabase, provideDatabase } from './list/load';
import { list } from './list/requests';
import { Servers } from './list/servers';
import { milliseconds, say } from './report';

/** Times the quiet p99 that others may have meanwhile. */
const bound = 3;

const options = {
  rows: { type: 'string', default: '1000000' },
  seconds: { type: 'string', default: '10' },
} as const;

async function main(): Promise<void> {
  const { values } = parseArgs({ options });
  const [rows, seconds] = [Number(values.rows), Number(values.seconds)];
  const server = process.env.BENCH_DATABASE_URL;
  if (!server) throw new Error('Set BENCH_DATABASE_URL to a Postgres server, as postgresql://…');
  const note = (line: string) => process.stderr.write(`${line}\n`);
  const database = await provideDatabase(server, rows, { isFresh: false, say: note });
  await withTemporaryFolder((folder) => measure(database, folder, seconds));
}

async function measure(database: BenchDatabase, folder: string, seconds: number): Promise<void> {
  const servers = new Servers({ large: database, small: database }, folder);
  const [others, attacker] = [startClient(), startClient()];
  try {
    const { origin } = await servers.get('service without cache');
    const quiet = database.accounts.slice(-20).map((account) => list(account));
    const drive = (requests: LoadRequest[], concurrency: number, client = others) =>
      client.run({ origin, requests, concurrency, seconds, isStable: true });
    await drive(quiet, 4);
    const alone = await drive(quiet, 4);
    say('p99 of lists of other accounts, alone', milliseconds(alone.p99));
    for (const [name, requests] of worst(database)) {
      const attack = drive(requests, 32, attacker);
      const beside = await drive(quiet, 4);
      const { p50 } = await attack;
      const ratio = beside.p99 / alone.p99;
      const verdict = ratio <= bound ? 'within' : 'BEYOND';
      say(`beside ${name} (p50 ${milliseconds(p50)})`, milliseconds(beside.p99));
      say('', `${ratio.toFixed(1)} times, ${verdict} ${bound}`);
    }
  } finally {
    for (const client of [others, attacker]) client.close();
    await servers.stopAll();
  }
}

function worst({ rows }: BenchDatabase): [string, LoadRequest[]][] {
  const offset = Math.floor(rows / 10);
  return [
    ['searches for a letter', [list(bigAccount, 'search=e'), list(bigAccount, 'search=q')]],
    ['pages deep in a status', [list(bigAccount, `status=approved&offset=${offset}`)]],
    ['sorts by updated_at', [list(bigAccount, 'sort_by=updated_at')]],
  ];
}

void main();
