/** What is measured. */
import type { LoadRequest } from './client-process';
import { type BenchAccount, bigAccount, commonTerm, rareTerm } from './data';
import {
  create,
  directusList,
  dutifulList,
  fastifyList,
  get,
  idsOf,
  importRows,
  list,
  mixedDay,
  pageAfter,
  search,
  update,
  updateBatch,
} from './requests';
import type { Databases, ServerName } from './servers';

/** One column of a comparison: a server and what it is asked. */
export type Subject = { label: string; server: ServerName; requests: LoadRequest[] };

export type Workload = {
  name: string;
  /** As the table calls it. */
  title: string;
  concurrency: number;
  /** Measured in turn, each once a round. */
  subjects: Subject[];
  /** Whether the same request must always get the same body. */
  isStable: boolean;
  /** Whether all subjects must answer with the same rows. */
  isComparable: boolean;
};

/** As many clients at once as a busy site has. */
const busy = 32;

export async function makeWorkloads(databases: Databases): Promise<Workload[]> {
  const { large } = databases;
  const [, writer = bigAccount] = large.accounts;
  const small = large.accounts.slice(-20);
  const ids = await idsOf(large, [bigAccount, writer], 2000);
  const [bigIds = [], writerIds = []] = [ids.get(bigAccount.id), ids.get(writer.id)];
  const page = list(bigAccount);
  return [
    compared('small', 'first page, small accounts', small),
    compared('big', 'first page, big account', [bigAccount]),
    {
      ...reading('flat', 'first page', busy, []),
      subjects: [
        on('service on 10,000 rows', 'small account, 10,000 rows', lastPages(databases.small)),
        on('service without cache', 'small account, all rows', lastPages(large)),
        on('service on 10,000 rows', 'big account, 10,000 rows', [page]),
        on('service without cache', 'big account, all rows', [page]),
      ],
    },
    {
      // Of all accounts, so that none has more in a minute than the log keeps of it.
      ...reading('logged', 'first page, request log', busy, []),
      subjects: [
        on(
          'service without cache',
          'on',
          large.accounts.map((account) => list(account)),
        ),
        on(
          'service without cache and log',
          'off',
          large.accounts.map((account) => list(account)),
        ),
      ],
    },
    reading('filtered', 'status and rating, big account', busy, [
      list(bigAccount, 'status=approved&rating=5'),
    ]),
    ...[1, 4].flatMap((clients) => searches(clients)),
    {
      ...reading('cursor', 'page by cursor, big account', busy, []),
      subjects: [
        on('service without cache', 'first page', [list(bigAccount, 'cursor=start')]),
        on('service without cache', 'after 100,000 rows', [
          await pageAfter(large, bigAccount, Math.min(100_000, large.rows / 10)),
        ]),
      ],
    },
    reading('deep', 'offset 100,000, big account', 4, [
      list(bigAccount, `offset=${Math.min(100_000, large.rows / 10)}`),
    ]),
    reading('deep-status', 'offset 100,000 of the approved, big account', 1, [
      list(bigAccount, `status=approved&offset=${Math.min(100_000, large.rows / 10)}`),
    ]),
    reading('updated', 'sorted by updated_at, big account', 1, [
      list(bigAccount, 'sort_by=updated_at'),
    ]),
    reading(
      'row',
      'one testimonial',
      busy,
      bigIds.map((id) => get(bigAccount, `/testimonials/${id}`)),
    ),
    writing('create', 'create', busy, create(writer)),
    ...[busy, 1].map((clients) => keyed(clients, large.accounts)),
    {
      ...writing('import', 'import of 1,000', 4, []),
      subjects: [
        on('service', 'imports', [importRows(writer)]),
        on('service', 'single creates', create(writer)),
      ],
    },
    writing('update-busy', 'update', busy, update(writer, writerIds)),
    writing('update', 'update', 1, update(writer, writerIds)),
    writing('batch', 'update of 100', 1, updateBatch(writer, writerIds)),
    ...repeated(small[0] ?? bigAccount),
    await mixed(databases),
    {
      ...reading('next', 'first page through Next, small accounts', busy, []),
      subjects: [
        ...(['service in Next', 'service in Next, cache on'] as const).map((server) =>
          on(
            server,
            server,
            small.map((account) => list(account)),
          ),
        ),
        on('empty Next route', 'empty Next route', [
          { method: 'GET', path: '/empty', headers: {}, status: 200 },
        ]),
      ],
    },
  ];
}

function compared(name: string, title: string, accounts: BenchAccount[]): Workload {
  const ask = (request: (account: BenchAccount) => LoadRequest) => accounts.map(request);
  return {
    ...reading(
      name,
      title,
      busy,
      ask((account) => list(account)),
    ),
    subjects: [
      on(
        'service without cache',
        'service',
        ask((account) => list(account)),
      ),
      on(
        'service',
        'service, cache on',
        ask((account) => list(account)),
      ),
      on(
        'Fastify',
        'Fastify, counters',
        ask((account) => fastifyList(account, 'counters')),
      ),
      on(
        'Fastify',
        'Fastify, count(*)',
        ask((account) => fastifyList(account, 'count')),
      ),
      on('Fastify, same duties', 'Fastify, same duties', ask(dutifulList)),
      on('Directus', 'Directus', ask(directusList)),
    ],
    isComparable: true,
  };
}

/** Terms that are frequent, rare and absent: which of them is slow differs from plan to plan. */
function searches(clients: number): Workload[] {
  const of = (name: string, title: string, terms: string[]) =>
    reading(
      `${name}-${clients}`,
      `${title}, big account, ${clients === 1 ? '1 client' : `${clients} clients`}`,
      clients,
      search(bigAccount, terms),
    );
  return [
    of('rare', 'search, rare term', [rareTerm]),
    of('common', 'search, common term', [commonTerm]),
    of('one', 'search, one character', ['e', 'Q', 'ø', '†']),
    of('two', 'search, two characters', ['th', 'QU', 'øz', 'zx']),
  ];
}

/** The same list again and again: from the cache, and with the tag of what the client has. */
function repeated(account: BenchAccount): Workload[] {
  const request = list(account);
  return [
    {
      ...reading('repeated', 'repeated identical list', busy, []),
      subjects: [
        on('service', 'service', [request]),
        on('Fastify', 'Fastify, counters', [fastifyList(account, 'counters')]),
      ],
      isComparable: true,
    },
    {
      ...reading('unchanged', 'repeated list with If-None-Match', busy, []),
      subjects: [on('service', 'service', [{ ...request, status: 304 }])],
    },
  ];
}

/** Of many accounts in turn: the writes of one wait for each other, with a key a little longer. */
function keyed(clients: number, accounts: BenchAccount[]): Workload {
  const requests = accounts.slice(-200).flatMap((account) => create(account).slice(0, 1));
  return {
    ...writing(`keyed-${clients}`, 'create with a key', clients, []),
    subjects: [
      on(
        'service',
        'with an Idempotency-Key',
        requests.map((request) => ({ ...request, isKeyed: true })),
      ),
      on('service', 'without', requests),
    ],
  };
}

async function mixed(databases: Databases): Promise<Workload> {
  const requests = await mixedDay(databases.large, { count: 10_000, limit: 50 });
  return {
    ...writing('mixed', 'mixed day: 90 % lists, 10 % writes', busy, []),
    subjects: [
      on('service', 'service', requests),
      on('service without cache', 'service without cache', requests),
    ],
  };
}

function reading(
  name: string,
  title: string,
  concurrency: number,
  requests: LoadRequest[],
): Workload {
  const subjects = [on('service without cache', 'service', requests)];
  return { name, title, concurrency, subjects, isStable: true, isComparable: false };
}

function writing(
  name: string,
  title: string,
  concurrency: number,
  requests: LoadRequest[],
): Workload {
  return {
    ...reading(name, title, concurrency, []),
    subjects: [on('service', 'service', requests)],
    isStable: false,
  };
}

function on(server: ServerName, label: string, requests: LoadRequest[]): Subject {
  return { label, server, requests };
}

function lastPages({ accounts }: { accounts: BenchAccount[] }): LoadRequest[] {
  return accounts.slice(-5).map((account) => list(account));
}
