/** What clients do, measured through the service as `npm start` runs it. */
import type { Client } from 'pg';
import type { LoadClient, LoadRequest } from '../list/client-process';
import { cpuOfTree } from '../list/cpu';
import { type BenchAccount, bigAccount, createdEmail, rareTerm } from '../list/data';
import { type BenchDatabase, within } from '../list/load';
import { Random } from '../list/random';
import {
  create,
  get,
  idsOf,
  importRows,
  list,
  search,
  update,
  updateBatch,
} from '../list/requests';
import type { ServerName, Servers } from '../list/servers';
import type { Cost } from './figures';
import { costOf } from './meter';

const concurrency = 8;

type Operation = {
  name: string;
  server: ServerName;
  /** Requests in a round. */
  count: number;
  /** What the cost is of, where a request does several. */
  each?: number;
  requests: (round: number) => LoadRequest[] | Promise<LoadRequest[]>;
};

/** By the operation's name, in the order in which they were measured. */
export async function costsOfRequests(options: {
  database: BenchDatabase;
  servers: Servers;
  client: LoadClient;
  postgres: Client;
  rounds: number;
  say: (line: string) => void;
}): Promise<Record<string, Cost>> {
  const { database, servers, client, postgres, rounds, say } = options;
  const costs: Record<string, Cost> = {};
  for (const { name, server, count, each = 1, requests } of await operations(database)) {
    say(`${name} …`);
    const { origin, pid } = await servers.get(server);
    const send = async (round: number, times: number) => {
      const load = { origin, requests: await requests(round), concurrency, isStable: false };
      return (await client.run({ ...load, count: times })).count * each;
    };
    // What is compiled while it runs is compiled then, and caches and plans are filled.
    await send(rounds, Math.min(count, 2_000));
    costs[name] = await costOf(postgres, rounds, {
      cpuOfService: () => cpuOfTree(pid),
      run: (round) => send(round, count),
    });
  }
  return costs;
}

/** Reads first, so that they find the rows as they were loaded. */
async function operations(database: BenchDatabase): Promise<Operation[]> {
  const { accounts } = database;
  const others = accounts.slice(1);
  const ids = await idsOf(database, [...others, bigAccount], 100);
  const idsIn = ({ id }: BenchAccount) => ids.get(id) ?? [];
  const read = (name: string, count: number, requests: LoadRequest[]): Operation => ({
    ...{ name, count, requests: () => requests },
    server: 'service without cache',
  });
  /** Of accounts at random, others in each round: it finds pages that the one before left alone. */
  const write = (
    name: string,
    count: number,
    of: (account: BenchAccount) => LoadRequest[],
    each = 1,
  ): Operation => ({
    ...{ name, count, each, server: 'service' },
    requests: (round) => drawn(new Random(round), others, of, count),
  });
  const listed = (account: BenchAccount) => list(account);
  const keyed = (account: BenchAccount) =>
    create(account).map((request) => ({ ...request, isKeyed: true }));
  return [
    read('list, 50 rows', 1_500, accounts.slice(-20).map(listed)),
    read('list, 50 rows, largest account', 1_500, [list(bigAccount)]),
    // Of so many accounts that the log of requests has a row of each request: it keeps 1,000 of an
    // account in a minute. No more of them than the cache has room for.
    {
      ...read('list, from the cache', 20_000, accounts.slice(-500).map(listed)),
      server: 'service',
    },
    read(
      'one testimonial',
      4_000,
      others.flatMap((account) =>
        idsIn(account)
          .slice(0, 1)
          .map((id) => get(account, `/testimonials/${id}`)),
      ),
    ),
    read('search, rare word, largest account', 300, search(bigAccount, [rareTerm])),
    read('search, one letter, largest account', 8, search(bigAccount, ['e', 'Q', 'ø', '†'])),
    read('list by updated_at, largest account', 8, [list(bigAccount, 'sort_by=updated_at')]),
    write('create', 1_000, create),
    write('create, with an Idempotency-Key', 1_000, keyed),
    write('update of the status', 1_000, (account) => update(account, idsIn(account))),
    write('update, in a batch of 100', 30, (account) => updateBatch(account, idsIn(account)), 100),
    write('import, in a request of 1,000', 4, (account) => [importRows(account)], 1_000),
    {
      ...{ name: 'delete', count: 500, server: 'service' },
      requests: (round) => deletions(database, round),
    },
  ];
}

/** So many requests, each of what `of` has of an account that has any. */
function drawn(
  random: Random,
  accounts: BenchAccount[],
  of: (account: BenchAccount) => LoadRequest[],
  count: number,
): LoadRequest[] {
  const requests: LoadRequest[] = [];
  while (requests.length < count) {
    const choices = of(accounts[random.below(accounts.length)] ?? bigAccount);
    const choice = choices[random.below(choices.length)];
    if (choice) requests.push(choice);
  }
  return requests;
}

/** Of rows that were created here, each once. */
async function deletions(database: BenchDatabase, round: number): Promise<LoadRequest[]> {
  const owners = new Map(database.accounts.map((account) => [account.id, account]));
  const { rows } = await within(database.url, (client) =>
    client.query<{ id: string; user_id: string }>(
      `SELECT id, user_id FROM testimonials WHERE submitter_email = $1
       ORDER BY md5(id::text || $2) LIMIT 500`,
      [createdEmail, String(round)],
    ),
  );
  return rows.map(({ id, user_id }) => ({
    ...get(owners.get(user_id) ?? bigAccount, `/testimonials/${id}`),
    ...{ method: 'DELETE', status: 204 },
  }));
}
