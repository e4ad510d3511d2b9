import { randomUUID } from 'node:crypto';
import { isSignUpOpen } from '@/src/accounts/auth/auth';
import { countTry } from '@/src/accounts/auth/throttle';
import { removeData } from '@/src/accounts/deletion';
import { trimExpiredSessions } from '@/src/accounts/sessions';
import { provideEnv } from '@/src/env';
import { claimRemovals } from '@/src/storage/removal-queue';
import { countTestData } from '@/src/test-mode/emptying';
import { trimLog } from '@/src/webhooks/log-trimming';
import { minimalTestimonial, type Tenant } from '../helpers/accounts';
import { type ApiRequest, statementsDuring, statementsOf } from '../helpers/statements';
import { type LargeDatabase, openLargeDatabase } from './large-database';

let large: LargeDatabase;
let tenant: Tenant;
let id: string;
let spaceId: string;

beforeAll(async () => {
  large = await openLargeDatabase();
  tenant = large.tenant;
  const { body } = await tenant.api.get('/testimonials?limit=1');
  id = body.data[0].id;
  spaceId = body.data[0].space_id;
}, 180_000);

afterAll(() => large.close());

const batch = (operation: string): ApiRequest => [
  'POST',
  `/testimonials/batch/${operation}`,
  { testimonial_ids: Array.from({ length: 100 }, () => randomUUID()), status: 'approved' },
];

const importOf = (on_duplicate: string): ApiRequest => [
  'POST',
  '/imports',
  {
    testimonials: Array.from({ length: 1000 }, () => ({
      ...minimalTestimonial(spaceId),
      external_id: randomUUID(),
    })),
    on_duplicate,
  },
];

/** The plans of the key lookup and of the operation itself. */
async function plansOf(request: ApiRequest): Promise<[string[], string[]]> {
  const [lookup, operation, ...more] = await statementsOf(tenant.api.key, request);
  if (!lookup || !operation || more.length > 0) throw new Error('Expected two statements');
  return [await large.plan(lookup), await large.plan(operation)];
}

test('the key is looked up by its index', async () => {
  const [lookup] = await plansOf(['GET', '/spaces']);
  expect(lookup).toContain('Index Scan on api_keys');
  expect(lookup).toContain('Index Scan on users');
});

test('the first try to sign in of a window clears out what is over by the index of its time', async () => {
  await large.connection.query(
    `INSERT INTO sign_in_throttles (key, count, last_request)
    SELECT 'known|' || n, 0, extract(epoch FROM now()) * 1000 + n FROM generate_series(1, 5000) n`,
  );
  await large.connection.query('ANALYZE sign_in_throttles');
  const [, clearing] = await statementsDuring(() =>
    countTry({ action: 'sign-in', account: randomUUID(), headers: new Headers() }),
  );
  if (!clearing) throw new Error('Expected a statement');
  const indexes = await large.visitPlan(clearing, ({ 'Index Name': name }) => name);
  expect(indexes).toContain('sign_in_throttles_last_request_idx');
});

test('sessions that have expired are looked for batch by batch, and no batch reads all sessions', async () => {
  await large.connection.query(
    `INSERT INTO sessions (user_id, token, expires_at)
    SELECT $1, gen_random_uuid()::text, now() + interval '1 day' FROM generate_series(1, 20000)`,
    [tenant.accountId],
  );
  await large.connection.query('ANALYZE sessions');
  const [, batch] = await statementsDuring(() =>
    trimExpiredSessions({ endAt: Number.POSITIVE_INFINITY }),
  );
  if (!batch) throw new Error('Expected a statement');
  expect(await large.plan(batch)).not.toContain('Seq Scan on sessions');
});

test('whether anybody may sign up is seen without counting all accounts', async () => {
  provideEnv({ SIGN_UP: 'closed' });
  const [look] = await statementsDuring(isSignUpOpen);
  provideEnv({ SIGN_UP: 'open' });
  if (!look) throw new Error('Expected a statement');
  expect((await large.plan(look))[0]).toBe('Limit');
});

describe('with many deliveries, all of one account,', () => {
  beforeAll(async () => {
    await large.connection.query(
      `WITH event AS (
      INSERT INTO webhook_events (user_id, type, resource_id, sequence, data, created_at)
      SELECT $1, 'testimonial.approved', gen_random_uuid(), 1, '{}', now() - n * interval '2 minutes'
      FROM generate_series(1, 40000) n RETURNING id
    )
    INSERT INTO webhook_deliveries (event_id, endpoint_id, state, next_attempt_at)
    SELECT event.id, endpoint.id, 'succeeded', NULL
    FROM event, (SELECT id FROM webhook_endpoints WHERE user_id = $1) endpoint`,
      [tenant.accountId],
    );
    await large.connection.query('ANALYZE webhook_events, webhook_deliveries');
  });

  test('the log is trimmed batch by batch, and no batch reads all deliveries', async () => {
    let batches = 1;
    // For one batch, however long it takes.
    const inTime = {
      get endAt() {
        return batches-- > 0 ? Number.POSITIVE_INFINITY : 0;
      },
    };
    const [batch] = await statementsDuring(() => trimLog(inTime));
    if (!batch) throw new Error('Expected a statement');
    expect(await large.plan(batch)).not.toContain('Seq Scan on webhook_deliveries');
  });

  test('those of an account are counted and removed without those of all others', async () => {
    const { rows } = await large.connection.query<{ id: string }>(
      'SELECT user_id AS id FROM webhook_endpoints WHERE user_id <> $1 LIMIT 1',
      [tenant.accountId],
    );
    const [{ id: other } = { id: '' }] = rows;
    const [counting] = await statementsDuring(() => countTestData(other));
    let steps = 1;
    const [removing] = await statementsDuring(() => removeData(other, () => steps-- > 0));
    if (!counting || !removing) throw new Error('Expected a statement of each');
    expect(removing.text).toContain('DELETE FROM webhook_deliveries');
    for (const statement of [counting, removing]) {
      expect(await large.plan(statement)).not.toContain('Seq Scan on webhook_deliveries');
    }
  });
});

test.each(['asc', 'desc'])(
  'the first page %s comes out of the index in its order',
  async (order) => {
    const [, list] = await plansOf(['GET', `/testimonials?sort_order=${order}`]);
    expect(list).toContain('Index Scan on testimonials');
    expect(list).not.toContain('Sort');
  },
);

test('the total of a list is read from the account, and with filters from its counts', async () => {
  const [, all] = await plansOf(['GET', '/testimonials']);
  expect(all).toContain('Index Scan on users');
  expect(all).not.toContain('Aggregate');
  const [, some] = await plansOf(['GET', '/testimonials?status=approved']);
  expect(some.filter((step) => step.endsWith('on testimonial_counts'))).toHaveLength(1);
});

test('a deep page skips rows in the index, and reads only its own from the table', async () => {
  const [, list] = await plansOf(['GET', '/testimonials?offset=500']);
  expect(list).toContain('Index Only Scan on testimonials');
  expect(list).toContain('Index Scan on testimonials');
});

test.each(['rating', 'shares'])('a list sorted by %s comes out of an index', async (column) => {
  for (const order of ['asc', 'desc']) {
    const [, list] = await plansOf(['GET', `/testimonials?sort_by=${column}&sort_order=${order}`]);
    expect(list).not.toContain('Sort');
  }
});

describe.each(['created_at', 'rating', 'shares'])('a page by cursor, sorted by %s,', (column) => {
  test.each(['asc', 'desc'])('begins at its place in the index %s', async (order) => {
    const query = `/testimonials?limit=100&sort_by=${column}&sort_order=${order}&cursor=`;
    const { body } = await tenant.api.get(`${query}start`);
    const [, list] = await statementsOf(tenant.api.key, [
      'GET',
      `${query}${body.pagination.next_cursor}`,
    ]);
    if (!list) throw new Error('Expected a statement');
    const conditions = await large.visitPlan(
      list,
      ({ 'Index Cond': condition }) => condition ?? '',
    );
    expect(conditions).toContainEqual(expect.stringContaining(`ROW(${column}, id)`));
    const sorted = await large.visitPlan(list, (node) => node);
    // Of ratings, the found ids of two ranges are put in order; never the rows of the account.
    for (const node of sorted.filter(({ 'Node Type': type }) => type.includes('Sort'))) {
      expect(node['Plan Rows']).toBeLessThanOrEqual(101);
    }
  });
});

test('a search reads one part of the texts', async () => {
  const [, search] = await plansOf(['GET', '/testimonials?search=service']);
  const parts = new Set(search.filter((step) => step.includes('testimonial_texts')));
  expect(parts.size).toBe(1);
});

test.each<[string, () => ApiRequest]>([
  ['a list', () => ['GET', '/testimonials']],
  ['a later page', () => ['GET', '/testimonials?offset=500']],
  ['the best rated', () => ['GET', '/testimonials?sort_by=rating']],
  ['a filtered page', () => ['GET', '/testimonials?status=approved&rating=5&type=text']],
  ['a search', () => ['GET', '/testimonials?search=service']],
  ['a span of time', () => ['GET', '/testimonials?date_from=2026-01-01T00:00:00Z']],
  ['one testimonial', () => ['GET', `/testimonials/${id}`]],
  ['an update', () => ['PATCH', `/testimonials/${id}`, { status: 'approved' }]],
  ['a batch of 100', () => batch('update')],
  ['a batch delete of 100', () => batch('delete')],
  ['an external id', () => ['GET', '/testimonials?external_id=crm-1']],
  ['an import', () => importOf('skip')],
  ['an import that updates', () => importOf('update')],
  ['the first page of a walk', () => ['GET', '/testimonials?sort_by=rating&cursor=start']],
  ['the list of spaces', () => ['GET', '/spaces']],
])('%s scans no whole table', async (_name, request) => {
  const steps = (await plansOf(request())).flat();
  // A part of the texts that is mostly this account's may well be read whole.
  const scans = steps.filter((step) => /^Seq Scan on (?!testimonial_texts_\d+$)/.test(step));
  expect(scans).toEqual([]);
});

test.each<[string, () => ApiRequest]>([
  ['a list', () => ['GET', '/testimonials?external_id=crm-1']],
  ['an import', () => importOf('skip')],
  ['an import that updates', () => importOf('update')],
])('%s finds external ids by their index', async (_name, request) => {
  const [, statement] = await statementsOf(tenant.api.key, request());
  if (!statement) throw new Error('Expected a statement');
  const indexes = await large.visitPlan(statement, ({ 'Index Name': name }) => name);
  expect(indexes).toContain('testimonials_user_id_external_id_key');
});

test('whether a file is in use is read from the indexes of uploaded files', async () => {
  const claim = () => claimRemovals({ limit: 20, start: randomUUID() });
  const [statement] = await statementsDuring(claim);
  if (!statement) throw new Error('Expected a statement');
  const indexes = await large.visitPlan(statement, ({ 'Index Name': name }) => name);
  expect(indexes).toEqual(
    expect.arrayContaining([
      'testimonials_stored_avatar_idx',
      'testimonials_stored_video_idx',
      'testimonials_stored_thumbnail_idx',
    ]),
  );
  expect(
    (await large.plan(statement)).filter((step) => /Seq Scan on testimonials/.test(step)),
  ).toEqual([]);
});

test('of the log of an endpoint no more is read than the day that is counted', async () => {
  await large.connection.query(`
    WITH event AS (
      INSERT INTO webhook_events (user_id, type, resource_id, sequence, data)
      SELECT user_id, 'testimonial.created', gen_random_uuid(), 1, '{}'
      FROM webhook_endpoints, generate_series(1, 3)
      RETURNING id, user_id
    )
    INSERT INTO webhook_deliveries (event_id, endpoint_id, created_at)
    SELECT event.id, endpoint.id, now() - random() * interval '30 days'
    FROM event JOIN webhook_endpoints endpoint ON endpoint.user_id = event.user_id`);
  await large.connection.query('ANALYZE webhook_deliveries');
  const [, list] = await statementsOf(tenant.api.key, ['GET', '/webhook-endpoints']);
  if (!list) throw new Error('Expected a statement');
  const conditions = await large.visitPlan(list, ({ 'Index Cond': condition }) => condition ?? '');
  expect(conditions).toContainEqual(
    expect.stringMatching(/endpoint_id = .* AND .*created_at > .*24:00:00/),
  );
});
