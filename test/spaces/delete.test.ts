import { database } from '@/src/database/client';
import { createTenant, type Tenant } from '../helpers/accounts';
import { expectError, expectNoContent } from '../helpers/expectations';
import { during, onServer } from '../helpers/locks';
import { acceptedUuids, refusedUuids } from '../helpers/values';
import { queuedUrls, temporaryFiles, upload } from '../storage/files';

const folder = temporaryFiles();

let tenant: Tenant;

beforeAll(async () => {
  tenant = await createTenant();
});

test('answers 204 without a body, and the space is gone, it alone', async () => {
  const tenant = await createTenant();
  const [gone, kept] = [await tenant.space(), await tenant.space()];
  expectNoContent(await tenant.api.delete(`/spaces/${gone.id}`));
  expectError(await tenant.api.get(`/spaces/${gone.id}`), 404, 'SPACE_NOT_FOUND');
  expect((await tenant.api.get('/spaces')).body.data).toEqual([kept]);
});

test('its testimonials go with it, those of other spaces stay', async () => {
  const tenant = await createTenant();
  const [gone, kept] = [await tenant.space(), await tenant.space()];
  const lost = await tenant.testimonial(gone.id);
  await tenant.testimonial(gone.id, { status: 'approved' });
  const remaining = await tenant.testimonial(kept.id);
  expectNoContent(await tenant.api.delete(`/spaces/${gone.id.toUpperCase()}`));
  expectError(await tenant.api.get(`/testimonials/${lost.id}`), 404, 'TESTIMONIAL_NOT_FOUND');
  expect((await tenant.api.get('/testimonials')).body.data).toEqual([remaining]);
  expect(await database().testimonial.count({ where: { space_id: gone.id } })).toBe(0);
});

test('a second time is 204 as well', async () => {
  const { id } = await tenant.space();
  for (let i = 0; i < 2; i++) expectNoContent(await tenant.api.delete(`/spaces/${id}`));
});

test('a space of another account is 204, and none of its files is queued for removal', async () => {
  const other = await createTenant();
  const { url } = await upload(folder, other.accountId, 'avatar');
  const logo = await upload(folder, other.accountId, 'logo');
  const space = await other.space({ logo_url: logo.url });
  await other.testimonial(space.id, { submitter_avatar_url: url });
  expectNoContent(await tenant.api.delete(`/spaces/${space.id}`));
  expect(await queuedUrls(other.accountId)).toEqual([]);
  expect(await queuedUrls(tenant.accountId)).toEqual([]);
});

test('a space of another account is 204, and stays with its testimonials', async () => {
  const other = await createTenant();
  const space = await other.space();
  const row = await other.testimonial(space.id);
  expectNoContent(await tenant.api.delete(`/spaces/${space.id}`));
  expect((await other.api.get(`/spaces/${space.id}`)).body.data).toEqual(space);
  expect((await other.api.get(`/testimonials/${row.id}`)).body.data).toEqual(row);
});

test.each(acceptedUuids)('an id that does not exist is 204: %s', async (_name, id) => {
  expectNoContent(await tenant.api.delete(`/spaces/${id}`));
});

test.each(refusedUuids)('an id that is no UUID is 400: %s', async (_name, id) => {
  const answer = await tenant.api.delete(`/spaces/${encodeURIComponent(id)}`);
  expectError(answer, 400, 'VALIDATION_ERROR');
});

test('nothing more can be put into a deleted space', async () => {
  const { id } = await tenant.space();
  await tenant.api.delete(`/spaces/${id}`);
  const answer = await tenant.api.post('/testimonials', {
    space_id: id,
    type: 'text',
    submitter_name: 'Ada Park',
    submitter_email: 'ada@example.com',
  });
  expectError(answer, 404, 'SPACE_NOT_FOUND');
});

onServer(
  'a testimonial that comes as its space is deleted goes with it, and so does its file',
  async () => {
    const { accountId, api, space } = await createTenant();
    const { id } = await space();
    const { url } = await upload(folder, accountId, 'video');
    const insert = `
      INSERT INTO testimonials (user_id, space_id, type, submitter_name, video_url)
      VALUES ($1, $2, 'video', 'Ada Park', $3)`;
    const deleted = await during([insert, accountId, id, url], () => api.delete(`/spaces/${id}`));
    expectNoContent(deleted);
    expect(await database().testimonial.count({ where: { space_id: id } })).toBe(0);
    expect(await queuedUrls(accountId)).toEqual([url]);
  },
);
