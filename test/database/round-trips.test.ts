import { createTenant, minimalTestimonial, type Tenant } from '../helpers/accounts';
import { insertTestimonials } from '../helpers/rows';
import { type ApiRequest, statementsOf } from '../helpers/statements';

let tenant: Tenant;
let space: { id: string; user_id: string };
let ids: string[];

beforeAll(async () => {
  tenant = await createTenant();
  space = await tenant.space();
  const rows = await insertTestimonials(space, Array(150).fill({}));
  ids = rows.map(({ id }) => id);
});

const path = () => `/testimonials/${ids[0]}`;
const batch = (operation: string, count: number): ApiRequest => [
  'POST',
  `/testimonials/batch/${operation}`,
  { testimonial_ids: ids.slice(-count), ...(operation === 'update' && { status: 'approved' }) },
];

test.each<[string, () => ApiRequest]>([
  ['a list of 50', () => ['GET', '/testimonials']],
  ['an empty page', () => ['GET', '/testimonials?offset=1000']],
  ['one testimonial', () => ['GET', path()]],
  ['a create', () => ['POST', '/testimonials', minimalTestimonial(space.id)]],
  ['an update', () => ['PATCH', path(), { status: 'approved', rating: 5 }]],
  ['a batch update of 1', () => batch('update', 1)],
  ['a batch update of 100', () => batch('update', 100)],
  ['a batch delete of 1', () => batch('delete', 1)],
  ['a batch delete of 100', () => batch('delete', 100)],
  ['a delete', () => ['DELETE', path()]],
  ['a list of spaces', () => ['GET', '/spaces']],
  ['one space', () => ['GET', `/spaces/${space.id}`]],
  ['an update of a space', () => ['PATCH', `/spaces/${space.id}`, { name: 'New' }]],
])('%s is one statement, after the one that reads the key', async (_name, request) => {
  const statements = await statementsOf(tenant.api.key, request());
  expect(statements).toHaveLength(2);
  expect(statements[0]?.text).toContain('FROM api_keys');
});

test('the delete of a space takes as many statements with 50 testimonials as with none', async () => {
  const counts = [];
  for (const count of [0, 50]) {
    const { id } = await tenant.space();
    await insertTestimonials({ id, user_id: tenant.accountId }, Array(count).fill({}));
    counts.push((await statementsOf(tenant.api.key, ['DELETE', `/spaces/${id}`])).length);
  }
  expect(counts[1]).toBe(counts[0]);
});
