/** The requests that make up the workloads. */
import { writeCursor } from '../../src/api/cursor';
import { wireInstantColumn } from '../../src/database/sql/instants';
import { maxItems } from '../../src/imports/schema';
import { testimonialWalk } from '../../src/testimonials/list';
import { listTestimonialsInput } from '../../src/testimonials/schema';
import type { LoadRequest } from './client-process';
import { type BenchAccount, createdEmail } from './data';
import { directusToken } from './floors';
import { type BenchDatabase, within } from './load';
import { Random } from './random';

export function list(account: BenchAccount, query = ''): LoadRequest {
  return get(account, `/testimonials${query && `?${query}`}`);
}

export function get(account: BenchAccount, path: string): LoadRequest {
  return {
    method: 'GET',
    path: `/api/v1${path}`,
    headers: { authorization: `Bearer ${account.key}` },
    status: 200,
  };
}

/** The first page by hand-written code; `total` is how it counts. */
export function fastifyList(account: BenchAccount, total: 'counters' | 'count'): LoadRequest {
  return { method: 'GET', path: `/${total}?account=${account.id}`, headers: {}, status: 200 };
}

/** The same by code with the duties of the service. */
export function dutifulList(account: BenchAccount): LoadRequest {
  return { ...list(account), path: '/testimonials' };
}

/** The first page with the exact total, by an administrator: nothing to check row by row. */
export function directusList(account: BenchAccount): LoadRequest {
  const query = new URLSearchParams({
    'filter[user_id][_eq]': account.id,
    sort: '-created_at,-id',
    limit: '50',
    meta: 'filter_count',
  });
  return {
    method: 'GET',
    path: `/items/testimonials?${query}`,
    headers: { authorization: `Bearer ${directusToken}` },
    status: 200,
  };
}

export function search(account: BenchAccount, terms: string[]): LoadRequest[] {
  return terms.map((term) => list(account, `search=${encodeURIComponent(term)}`));
}

export function create(account: BenchAccount): LoadRequest[] {
  return account.spaceIds.map((space_id) =>
    write(account, 'POST', '/testimonials', 201, {
      space_id,
      type: 'text',
      submitter_name: 'Ada Park',
      submitter_email: createdEmail,
      submitter_company: 'Northwind',
      rating: 5,
      text_content: 'We answered our first customer within a minute. '.repeat(11),
    }),
  );
}

/** As many rows as an import may have, with external ids that are new each time. */
export function importRows(account: BenchAccount): LoadRequest {
  const unique = '00000000-0000-4000-8000-000000000000';
  const items = create(account).map(({ body = '' }) => JSON.parse(body));
  const testimonials = Array.from({ length: maxItems }, (_, index) => ({
    ...items[index % items.length],
    external_id: `${unique}-${index}`,
  }));
  return { ...write(account, 'POST', '/imports', 200, { testimonials }), unique };
}

/** Each row gets one status and, once all have it, the other: every update changes something. */
export function update(account: BenchAccount, ids: string[]): LoadRequest[] {
  return (['approved', 'rejected'] as const).flatMap((status) =>
    ids.map((id) => write(account, 'PATCH', `/testimonials/${id}`, 200, { status })),
  );
}

/** As `update`, by hundreds. */
export function updateBatch(account: BenchAccount, ids: string[]): LoadRequest[] {
  const batches = Array.from({ length: Math.floor(ids.length / 100) }, (_, batch) =>
    ids.slice(batch * 100, batch * 100 + 100),
  );
  return (['rejected', 'approved'] as const).flatMap((status) =>
    batches.map((testimonial_ids) =>
      write(account, 'POST', '/testimonials/batch/update', 200, { testimonial_ids, status }),
    ),
  );
}

/** 90 % lists of several kinds and 10 % writes, of many accounts, in random order. */
export async function mixedDay(
  database: BenchDatabase,
  options: { count: number; limit: number },
): Promise<LoadRequest[]> {
  const accounts = middleAccounts(database);
  const ids = await idsOf(database, accounts, 20);
  const random = new Random(7);
  const lists = ['', '', '', '&status=approved', '&offset=50', '&status=approved&rating=5'];
  return Array.from({ length: options.count }, () => {
    const account = accounts[random.below(accounts.length)] ?? database.accounts[0];
    if (!account) throw new Error('The database has no accounts');
    if (random.share() < 0.9) {
      return list(account, `limit=${options.limit}${lists[random.below(lists.length)]}`);
    }
    const own = ids.get(account.id) ?? [];
    const writes = random.share() < 0.3 ? create(account) : update(account, own);
    return writes[random.below(writes.length)] ?? list(account);
  });
}

/** Neither the large ones nor the small ones that other workloads read. */
function middleAccounts({ accounts }: BenchDatabase): BenchAccount[] {
  return accounts.slice(Math.floor(accounts.length * 0.2), Math.floor(accounts.length * 0.8));
}

/** So many ids of each account, by account. */
export async function idsOf(
  { url }: BenchDatabase,
  accounts: BenchAccount[],
  each: number,
): Promise<Map<string, string[]>> {
  return within(url, async (client) => {
    const { rows } = await client.query<{ user_id: string; ids: string[] }>(
      `SELECT account.user_id, array(
         SELECT id FROM testimonials t WHERE t.user_id = account.user_id ORDER BY id LIMIT $2
       )::text[] AS ids
       FROM unnest($1::uuid[]) AS account (user_id)`,
      [accounts.map(({ id }) => id), each],
    );
    return new Map(rows.map(({ user_id, ids }) => [user_id, ids]));
  });
}

/** The page of a walk, newest first, that begins after so many rows of the account. */
export async function pageAfter(
  { url }: BenchDatabase,
  account: BenchAccount,
  depth: number,
): Promise<LoadRequest> {
  const [row] = await within(url, async (client) => {
    const { rows } = await client.query<{ id: string; value: string }>(
      `SELECT t.id, ${wireInstantColumn('t.created_at')} AS value FROM testimonials t
       WHERE t.user_id = $1 ORDER BY t.created_at DESC, t.id DESC LIMIT 1 OFFSET $2`,
      [account.id, depth - 1],
    );
    return rows;
  });
  if (!row) throw new Error(`The account has fewer than ${depth} rows`);
  const walk = testimonialWalk(account.id, listTestimonialsInput.parse({}));
  return list(account, `cursor=${writeCursor(walk, row)}`);
}

/** Takes away what workloads have written, so that the next finds the database as it was. */
export async function removeCreated({ url }: BenchDatabase): Promise<void> {
  await within(url, async (client) => {
    await client.query('DELETE FROM testimonials WHERE submitter_email = $1', [createdEmail]);
    await client.query('TRUNCATE webhook_events CASCADE');
    await client.query('TRUNCATE idempotency_keys');
    await client.query('VACUUM');
  });
}

function write(
  account: BenchAccount,
  method: string,
  path: string,
  status: number,
  body: object,
): LoadRequest {
  const text = JSON.stringify(body);
  return {
    method,
    path: `/api/v1${path}`,
    headers: {
      authorization: `Bearer ${account.key}`,
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(text)),
    },
    body: text,
    status,
  };
}
