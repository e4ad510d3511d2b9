import { closeAccount } from '@/src/accounts/closing';
import { database } from '@/src/database/client';
import { provideEnv } from '@/src/env';
import { storeUpload } from '@/src/storage/upload';
import { createTenant } from '../helpers/accounts';
import { createEndpoint } from '../helpers/endpoints';
import { callTrpc, signUp } from '../helpers/session';
import { publicUrl, samples, temporaryFiles } from '../storage/files';

temporaryFiles();

afterEach(() => provideEnv({ ACCOUNT_QUOTA_BYTES: '' }));

const full = { code: 'QUOTA_EXCEEDED', message: expect.any(String) };

async function storedBytes(accountId: string) {
  const { storedBytes: bytes } = await database().user.findUniqueOrThrow({
    where: { id: accountId },
  });
  return Number(bytes);
}

/** What a month does. */
async function trimEvents(accountId: string) {
  await database().$executeRaw`DELETE FROM webhook_events WHERE user_id = ${accountId}::uuid`;
}

test('what an account stores grows by a text and its event, and shrinks with the deletion', async () => {
  const tenant = await createTenant();
  const { id } = await tenant.space();
  await trimEvents(tenant.accountId);
  const before = await storedBytes(tenant.accountId);
  const testimonial = await tenant.testimonial(id, { text_content: 'é'.repeat(1000) });
  const after = await storedBytes(tenant.accountId);
  // The row has the text once, its event once more.
  expect(after - before).toBeGreaterThan(4000);
  expect(after - before).toBeLessThan(6500);
  await tenant.api.delete(`/testimonials/${testimonial.id}`);
  await trimEvents(tenant.accountId);
  expect(await storedBytes(tenant.accountId)).toBe(before);
});

test('a test event counts as any other, until it is trimmed', async () => {
  const { accountId, api } = await createTenant();
  const id = await createEndpoint(accountId, ['testimonial.created']);
  expect((await api.post(`/webhook-endpoints/${id}/test`, {})).status).toBe(201);
  expect(await storedBytes(accountId)).toBeGreaterThan(500);
  await trimEvents(accountId);
  expect(await storedBytes(accountId)).toBe(0);
});

test('over the quota, whatever adds bytes answers 413, and nothing is written', async () => {
  const tenant = await createTenant();
  const space = await tenant.space();
  const testimonial = await tenant.testimonial(space.id);
  const events = (await tenant.events()).length;
  provideEnv({ ACCOUNT_QUOTA_BYTES: String(await storedBytes(tenant.accountId)) });
  const { id, ...body } = { ...testimonial, submitter_email: 'ada@example.com' };
  const answers = await Promise.all([
    tenant.api.post('/testimonials', {
      space_id: body.space_id,
      type: 'text',
      submitter_name: 'Ada',
      submitter_email: 'ada@example.com',
    }),
    tenant.api.post('/spaces', { name: 'Another' }),
    tenant.api.patch(`/spaces/${space.id}`, { name: 'Another' }),
  ]);
  for (const answer of answers) {
    expect([answer.status, answer.body]).toEqual([413, { error: full }]);
  }
  expect((await tenant.api.get(`/testimonials/${id}`)).body.data).toEqual(testimonial);
  expect(await tenant.events()).toHaveLength(events);
});

test('over the quota, moderation goes on for a tenth of it more, and no further', async () => {
  const tenant = await createTenant();
  const { id: spaceId } = await tenant.space();
  const { id } = await tenant.testimonial(spaceId);
  const batch = { testimonial_ids: [id], status: 'approved' };
  for (const moderate of [
    () => tenant.api.patch(`/testimonials/${id}`, { status: 'rejected' }),
    () => tenant.api.post('/testimonials/batch/update', batch),
  ]) {
    const fill = async (part: number) => {
      const quota = Math.floor((await storedBytes(tenant.accountId)) / part);
      provideEnv({ ACCOUNT_QUOTA_BYTES: String(quota) });
    };
    await fill(1.05);
    expect((await moderate()).status).toBe(200);
    await fill(1.05);
    expect((await tenant.api.post('/spaces', { name: 'Another' })).status).toBe(413);
    await fill(1.1);
    expect((await moderate()).body).toEqual({ error: full });
  }
});

test('the last byte of the quota may be used', async () => {
  const tenant = await createTenant();
  const upload = () => storeUpload(tenant.accountId, 'avatar', new Blob([samples.png]).stream());
  provideEnv({ ACCOUNT_QUOTA_BYTES: '4096' });
  await upload();
  await expect(upload()).rejects.toMatchObject({ apiCode: 'QUOTA_EXCEEDED' });
  expect(await storedBytes(tenant.accountId)).toBe(4096);
  provideEnv({ ACCOUNT_QUOTA_BYTES: '4097' });
  expect((await tenant.api.post('/spaces', { name: 'A space' })).status).toBe(201);
});

test('over the quota, reads and deletes go on, and make room once the events are trimmed', async () => {
  const tenant = await createTenant();
  const description = 'x'.repeat(500);
  const spaces = [await tenant.space({ description }), await tenant.space({ description })];
  provideEnv({ ACCOUNT_QUOTA_BYTES: String((await storedBytes(tenant.accountId)) - 500) });
  expect((await tenant.api.get('/spaces')).body.pagination.total).toBe(2);
  expect((await tenant.api.post('/spaces', { name: 'Too early' })).status).toBe(413);
  expect((await tenant.api.delete(`/spaces/${spaces[0]?.id}`)).status).toBe(204);
  await trimEvents(tenant.accountId);
  expect((await tenant.api.post('/spaces', { name: 'Room again' })).status).toBe(201);
});

test('in a full account a space makes room as it is deleted, and a testimonial once its events are trimmed, as the refusal says', async () => {
  const tenant = await createTenant();
  const { id } = await tenant.space();
  const one = await tenant.testimonial(id);
  for (let count = 0; count < 4; count += 1) await tenant.testimonial(id);
  const before = await storedBytes(tenant.accountId);
  provideEnv({ ACCOUNT_QUOTA_BYTES: String(before) });
  expect((await tenant.api.delete(`/testimonials/${one.id}`)).status).toBe(204);
  expect(await storedBytes(tenant.accountId)).toBeGreaterThan(before);
  const { status, body } = await tenant.api.post('/spaces', { name: 'Too early' });
  expect(status).toBe(413);
  expect(body.error.message).toContain('Deleting a space with testimonials makes room at once');
  expect((await tenant.api.delete(`/spaces/${id}`)).status).toBe(204);
  expect(await storedBytes(tenant.accountId)).toBeLessThan(before);
});

test('an account that is closed meanwhile has no room for anything more', async () => {
  const { accountId } = await createTenant();
  expect(await closeAccount(accountId)).toBe(true);
  const upload = storeUpload(accountId, 'avatar', new Blob([samples.png]).stream());
  await expect(upload).rejects.toMatchObject({ apiCode: 'UNAUTHORIZED' });
  expect(await storedBytes(accountId)).toBe(0);
});

test('an uploaded file counts in whole blocks of the disk, from before it is stored until it is removed, and is refused without room', async () => {
  const { accountId } = await createTenant();
  const upload = () => storeUpload(accountId, 'avatar', new Blob([samples.png]).stream());
  const { url, size_bytes } = await upload();
  expect(size_bytes).toBeLessThan(100);
  expect(await storedBytes(accountId)).toBe(4096);
  provideEnv({ ACCOUNT_QUOTA_BYTES: String(2 * 4096 - 1) });
  await expect(upload()).rejects.toMatchObject({ apiCode: 'QUOTA_EXCEEDED' });
  expect(await storedBytes(accountId)).toBe(4096);
  await database().storedFile.delete({ where: { key: url.slice(`${publicUrl}/files/`.length) } });
  expect(await storedBytes(accountId)).toBe(0);
});

test('another account is not full because this one is', async () => {
  const [one, other] = [await createTenant(), await createTenant()];
  await one.space({ description: 'x'.repeat(500) });
  provideEnv({ ACCOUNT_QUOTA_BYTES: '600' });
  expect((await one.api.post('/spaces', { name: 'One' })).status).toBe(413);
  expect((await other.api.post('/spaces', { name: 'Other' })).status).toBe(201);
});

test('the dashboard shows both, and is refused in the same way', async () => {
  const person = await signUp();
  const headers = { cookie: person.cookie };
  const before = await callTrpc('query', 'account.get', undefined, headers);
  expect(before.data).toMatchObject({ stored_bytes: 0, quota_bytes: 10 * 1024 ** 3 });
  await callTrpc('mutation', 'spaces.create', { name: 'A space' }, headers);
  provideEnv({ ACCOUNT_QUOTA_BYTES: '1' });
  const refused = await callTrpc('mutation', 'spaces.create', { name: 'Another' }, headers);
  expect([refused.status, refused.error?.data]).toEqual([
    413,
    { code: 'QUOTA_EXCEEDED', httpStatus: 413 },
  ]);
});

test('every text column of what is counted is counted', async () => {
  const rows = await database().$queryRaw<{ table: string; column: string }[]>`
    SELECT table_name AS table, column_name AS column FROM information_schema.columns
    WHERE table_name IN ('testimonials', 'spaces') AND table_schema = 'public'
      AND data_type IN ('text', 'character varying', 'json', 'jsonb', 'bytea', 'ARRAY')`;
  const sources = await database().$queryRaw<{ source: string }[]>`
    SELECT prosrc AS source FROM pg_proc WHERE proname IN ('testimonial_bytes', 'space_bytes')`;
  const source = sources.map((row) => row.source).join();
  expect(rows.length).toBeGreaterThan(10);
  const isCounted = ({ column }: { column: string }) => new RegExp(`\\.${column}\\b`).test(source);
  expect(rows.filter((row) => !isCounted(row))).toEqual([]);
});
