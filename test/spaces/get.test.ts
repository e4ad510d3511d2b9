import { createTenant, type Tenant } from '../helpers/accounts';
import { expectError } from '../helpers/expectations';
import { acceptedUuids, refusedUuids } from '../helpers/values';

let tenant: Tenant;

beforeAll(async () => {
  tenant = await createTenant();
});

test('answers the row as it was created', async () => {
  const created = await tenant.space({ custom_questions: ['One?'] });
  const answer = await tenant.api.get(`/spaces/${created.id}`);
  expect([answer.status, answer.body]).toEqual([200, { data: created }]);
});

test('finds the row by its id in upper case', async () => {
  const created = await tenant.space();
  const answer = await tenant.api.get(`/spaces/${created.id.toUpperCase()}`);
  expect([answer.status, answer.body]).toEqual([200, { data: created }]);
});

test('another account is answered exactly as for a missing row', async () => {
  const other = await createTenant();
  const { id } = await other.space();
  const foreign = await tenant.api.get(`/spaces/${id}`);
  const missing = await tenant.api.get(`/spaces/${acceptedUuids[3][1]}`);
  expectError(foreign, 404, 'SPACE_NOT_FOUND');
  expect(foreign.text).toBe(missing.text);
});

test.each(acceptedUuids)('an id that does not exist is 404: %s', async (_name, id) => {
  expectError(await tenant.api.get(`/spaces/${id}`), 404, 'SPACE_NOT_FOUND');
});

test.each(refusedUuids)('an id that is no UUID is 400: %s', async (_name, id) => {
  const answer = await tenant.api.get(`/spaces/${encodeURIComponent(id)}`);
  expectError(answer, 400, 'VALIDATION_ERROR');
});
