import { createTenant, type Tenant } from '../helpers/accounts';
import { expectError, expectNoContent } from '../helpers/expectations';
import { acceptedUuids, refusedUuids } from '../helpers/values';

let tenant: Tenant;
let spaceId: string;

beforeAll(async () => {
  tenant = await createTenant();
  spaceId = (await tenant.space()).id;
});

test('answers 204 without a body, and the row is gone, it alone', async () => {
  const [gone, kept] = [await tenant.testimonial(spaceId), await tenant.testimonial(spaceId)];
  expectNoContent(await tenant.api.delete(`/testimonials/${gone.id}`));
  expectError(await tenant.api.get(`/testimonials/${gone.id}`), 404, 'TESTIMONIAL_NOT_FOUND');
  expect((await tenant.api.get('/testimonials')).body.data).toEqual([kept]);
});

test('a second time is 404', async () => {
  const { id } = await tenant.testimonial(spaceId);
  expectNoContent(await tenant.api.delete(`/testimonials/${id.toUpperCase()}`));
  expectError(await tenant.api.delete(`/testimonials/${id}`), 404, 'TESTIMONIAL_NOT_FOUND');
});

test('another account is answered exactly as for a missing row, which stays', async () => {
  const other = await createTenant();
  const row = await other.testimonial((await other.space()).id);
  const foreign = await tenant.api.delete(`/testimonials/${row.id}`);
  const missing = await tenant.api.delete(`/testimonials/${acceptedUuids[3][1]}`);
  expectError(foreign, 404, 'TESTIMONIAL_NOT_FOUND');
  expect(foreign.text).toBe(missing.text);
  expect((await other.api.get(`/testimonials/${row.id}`)).body.data).toEqual(row);
  expect(await other.events()).toHaveLength(1);
});

test.each(acceptedUuids)('an id that does not exist is 404: %s', async (_name, id) => {
  expectError(await tenant.api.delete(`/testimonials/${id}`), 404, 'TESTIMONIAL_NOT_FOUND');
});

test.each(refusedUuids)('an id that is no UUID is 400: %s', async (_name, id) => {
  const answer = await tenant.api.delete(`/testimonials/${encodeURIComponent(id)}`);
  expectError(answer, 400, 'VALIDATION_ERROR');
});
