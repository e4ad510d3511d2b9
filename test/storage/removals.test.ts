import { randomUUID } from 'node:crypto';
import { claimRemovals, removeFile } from '@/src/storage/removal-queue';
import { createTenant } from '../helpers/accounts';
import { withOwnDatabase } from '../helpers/own-database';
import { insertTestimonials } from '../helpers/rows';
import { drain, exists, publicUrl, queuedUrls, temporaryFiles, upload } from './files';

withOwnDatabase();
const folder = temporaryFiles();

/** An account with a space and one uploaded file of each kind that a testimonial has. */
async function tenantWithFiles() {
  const tenant = await createTenant();
  const { id: spaceId } = await tenant.space();
  const [avatar, video, thumbnail] = await Promise.all([
    upload(folder, tenant.accountId, 'avatar'),
    upload(folder, tenant.accountId, 'video'),
    upload(folder, tenant.accountId, 'thumbnail'),
  ]);
  const fields = {
    submitter_avatar_url: avatar.url,
    video_url: video.url,
    video_thumbnail_url: thumbnail.url,
  };
  const present = () => Promise.all([avatar, video, thumbnail].map(({ path }) => exists(path)));
  return { ...tenant, spaceId, avatar, video, thumbnail, fields, present };
}

const all = [true, true, true];
const none = [false, false, false];

describe('DELETE /testimonials/{id}', () => {
  test('queues the avatar, video and thumbnail with the change, and they are removed', async () => {
    const { accountId, api, spaceId, testimonial, fields, present } = await tenantWithFiles();
    const { id } = await testimonial(spaceId, fields);
    expect((await api.delete(`/testimonials/${id}`)).status).toBe(204);
    await drain();
    expect(await present()).toEqual(none);
    expect(await queuedUrls(accountId)).toEqual([]);
  });

  test('a file under two fields is removed once', async () => {
    const { accountId, api, spaceId, testimonial, avatar } = await tenantWithFiles();
    const { id } = await testimonial(spaceId, {
      submitter_avatar_url: avatar.url,
      video_thumbnail_url: avatar.url,
    });
    expect((await api.delete(`/testimonials/${id}`)).status).toBe(204);
    await drain();
    expect(await exists(avatar.path)).toBe(false);
    expect(await queuedUrls(accountId)).toEqual([]);
  });

  test('a file that another testimonial uses stays until that one is deleted too', async () => {
    const { api, spaceId, testimonial, fields, avatar, present } = await tenantWithFiles();
    const first = await testimonial(spaceId, fields);
    const second = await testimonial(spaceId, { video_thumbnail_url: avatar.url });
    await api.delete(`/testimonials/${first.id}`);
    await drain();
    expect(await present()).toEqual([true, false, false]);
    await api.delete(`/testimonials/${second.id}`);
    await drain();
    expect(await present()).toEqual(none);
  });

  test('two testimonials that share a file and are deleted at once leave nothing', async () => {
    const { api, spaceId, testimonial, fields, present } = await tenantWithFiles();
    const ids = await Promise.all(
      Array.from({ length: 6 }, async () => (await testimonial(spaceId, fields)).id),
    );
    const answers = await Promise.all(ids.map((id) => api.delete(`/testimonials/${id}`)));
    expect(answers.map(({ status }) => status)).toEqual(ids.map(() => 204));
    await drain();
    expect(await present()).toEqual(none);
  });

  test('a file that is the logo of a space stays', async () => {
    const { api, spaceId, testimonial, fields, avatar, present } = await tenantWithFiles();
    const { id } = await testimonial(spaceId, fields);
    await api.patch(`/spaces/${spaceId}`, { logo_url: avatar.url });
    await api.delete(`/testimonials/${id}`);
    await drain();
    expect(await present()).toEqual([true, false, false]);
  });

  test('another account that names a file, and deletes its own at the same moment, keeps nothing', async () => {
    const owner = await tenantWithFiles();
    const { id } = await owner.testimonial(owner.spaceId, owner.fields);
    const stranger = await tenantWithFiles();
    const { id: strangersOwn } = await stranger.testimonial(stranger.spaceId, stranger.fields);
    await stranger.testimonial(stranger.spaceId, owner.fields);
    await stranger.api.patch(`/spaces/${stranger.spaceId}`, { logo_url: owner.avatar.url });
    await owner.api.delete(`/testimonials/${id}`);
    await stranger.api.delete(`/testimonials/${strangersOwn}`);
    await drain();
    expect(await owner.present()).toEqual(none);
    expect(await queuedUrls(owner.accountId)).toEqual([]);
  });

  test('an unknown testimonial and one of another account queue nothing', async () => {
    const owner = await tenantWithFiles();
    const stranger = await createTenant();
    const { id } = await owner.testimonial(owner.spaceId, owner.fields);
    expect((await stranger.api.delete(`/testimonials/${id}`)).status).toBe(404);
    await drain();
    expect(await owner.present()).toEqual(all);
  });
});

/** Of the files of a testimonial that was deleted, one of which a second one has as well. */
async function removalUnderWay() {
  const tenant = await tenantWithFiles();
  const { api, spaceId, testimonial, fields, avatar } = tenant;
  const first = await testimonial(spaceId, fields);
  const second = await testimonial(spaceId, { submitter_avatar_url: avatar.url });
  await api.delete(`/testimonials/${first.id}`);
  const claimed = await claimRemovals({ limit: 20, start: randomUUID() });
  return { ...tenant, second, claimed };
}

test('a file that is queued anew while its removal is under way is looked at once more', async () => {
  const { accountId, api, avatar, present, second, claimed } = await removalUnderWay();
  expect(claimed.filter(({ in_use }) => in_use)).toHaveLength(1);
  await api.delete(`/testimonials/${second.id}`);
  for (const one of claimed) await removeFile(one, new AbortController().signal);
  expect(await queuedUrls(accountId)).toEqual([avatar.url]);
  await drain();
  expect(await present()).toEqual(none);
});

test('one that is queued anew and begun a second time is not ended by the try before', async () => {
  const { accountId, api, avatar, present, second, claimed } = await removalUnderWay();
  await api.delete(`/testimonials/${second.id}`);
  // By a process that is killed before it has removed anything.
  expect(await claimRemovals({ limit: 20, start: randomUUID() })).toHaveLength(1);
  for (const one of claimed) await removeFile(one, new AbortController().signal);
  expect(await queuedUrls(accountId)).toEqual([avatar.url]);
  await drain(new Date(Date.now() + 70_000));
  expect(await present()).toEqual(none);
});

test('batch delete leaves the files where they are', async () => {
  const { accountId, api, spaceId, testimonial, fields, present } = await tenantWithFiles();
  const { id } = await testimonial(spaceId, fields);
  const answer = await api.post('/testimonials/batch/delete', { testimonial_ids: [id] });
  expect(answer.body).toEqual({ deleted: 1 });
  expect(await queuedUrls(accountId)).toEqual([]);
  await drain();
  expect(await present()).toEqual(all);
});

describe('DELETE /spaces/{id}', () => {
  test('queues the files of its testimonials', async () => {
    const { api, spaceId, testimonial, fields, avatar, present } = await tenantWithFiles();
    await testimonial(spaceId, fields);
    await testimonial(spaceId, { submitter_avatar_url: avatar.url });
    expect((await api.delete(`/spaces/${spaceId}`)).status).toBe(204);
    await drain();
    expect(await present()).toEqual(none);
  });

  test('a file that a testimonial of another space uses stays', async () => {
    const { api, space, spaceId, testimonial, fields, video, present } = await tenantWithFiles();
    await testimonial(spaceId, fields);
    await testimonial((await space()).id, { video_url: video.url });
    await api.delete(`/spaces/${spaceId}`);
    await drain();
    expect(await present()).toEqual([false, true, false]);
  });

  test('the space of another account queues nothing', async () => {
    const owner = await tenantWithFiles();
    await owner.testimonial(owner.spaceId, owner.fields);
    const stranger = await createTenant();
    expect((await stranger.api.delete(`/spaces/${owner.spaceId}`)).status).toBe(204);
    expect(await queuedUrls(owner.accountId)).toEqual([]);
    expect(await owner.present()).toEqual(all);
  });
});

describe('an address that merely looks like ours removes nothing', () => {
  const key = (url: string) => url.slice(`${publicUrl}/files/`.length);
  const tricks: [string, (url: string, accountId: string) => string][] = [
    ['another host', (url) => `https://elsewhere.example/files/${key(url)}`],
    ['a host that begins the same', (url) => `${publicUrl}.elsewhere.example/files/${key(url)}`],
    ['our host as the user name', (url) => `${publicUrl}@elsewhere.example/files/${key(url)}`],
    ['another scheme', (url) => url.replace('https:', 'http:')],
    ['the default port', (url) => url.replace('.example/', '.example:443/')],
    ['another port', (url) => url.replace('.example/', '.example:8443/')],
    ['an upper-case host', (url) => url.replace('service', 'SERVICE')],
    ['an upper-case key', (url) => `${publicUrl}/files/${key(url).toUpperCase()}`],
    ['an upper-case ending', (url) => url.replace('.png', '.PNG')],
    ['an encoded slash', (url) => url.replace('/avatar/', '/avatar%2f')],
    ['an encoded letter', (url) => url.replace('/avatar/', '/%61vatar/')],
    ['dot segments', (url) => url.replace('/files/', '/files/video/../')],
    ['encoded dot segments', (url) => url.replace('/files/', '/files/video/%2e%2e/')],
    ['dot segments out of the folder', (url) => `${url}/../../../../secret-key`],
    ['a double slash', (url) => url.replace('/files/', '/files//')],
    ['a query', (url) => `${url}?download`],
    ['a fragment', (url) => `${url}#t=1`],
    ['a trailing slash', (url) => `${url}/`],
    ['a trailing encoded NUL', (url) => `${url}%00`],
    ['another kind', (url) => url.replace('/avatar/', '/backup/')],
    ['another ending', (url) => url.replace('.png', '.key')],
    ['a folder', (url) => url.slice(0, url.lastIndexOf('/'))],
    ['a name that is no UUID', (_, accountId) => `${publicUrl}/files/avatar/${accountId}/x.png`],
    ['a pattern', (url) => url.replace(/[0-9a-f]{8}-[0-9a-f-]{27}[.]png/, '*.png')],
    ['the base alone', () => `${publicUrl}/files/`],
  ];

  test.each(tricks)('%s', async (_, disguise) => {
    const tenant = await createTenant();
    const { id: spaceId } = await tenant.space();
    const avatar = await upload(folder, tenant.accountId, 'avatar');
    const url = disguise(avatar.url, tenant.accountId);
    const { id } = await tenant.testimonial(spaceId, { video_url: url });
    expect((await tenant.api.delete(`/testimonials/${id}`)).status).toBe(204);
    expect(await queuedUrls(tenant.accountId)).toEqual([]);
    await drain();
    expect(await exists(avatar.path)).toBe(true);
  });

  test('a file of another account', async () => {
    const victim = await tenantWithFiles();
    const tenant = await createTenant();
    const { id: spaceId } = await tenant.space();
    const { id } = await tenant.testimonial(spaceId, victim.fields);
    await tenant.testimonial(spaceId, victim.fields);
    expect((await tenant.api.delete(`/testimonials/${id}`)).status).toBe(204);
    expect((await tenant.api.delete(`/spaces/${spaceId}`)).status).toBe(204);
    await drain();
    expect(await victim.present()).toEqual(all);
  });
});

test('a testimonial from before addresses had a bound can be deleted', async () => {
  const { api, space } = await createTenant();
  const [row] = await insertTestimonials(await space(), [
    {
      video_url: `${publicUrl}/files/${'a'.repeat(500_000)}`,
      submitter_avatar_url: `${publicUrl}/files/avatar/${'0'.repeat(100_000)}.png`,
    },
  ]);
  expect((await api.delete(`/testimonials/${row?.id}`)).status).toBe(204);
});
