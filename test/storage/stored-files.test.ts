import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { closeAccount } from '@/src/accounts/closing';
import { startDrain } from '@/src/background/drain';
import { database } from '@/src/database/client';
import { log } from '@/src/logging/log';
import { unnamedFilesJob } from '@/src/storage/unnamed-files-job';
import { storeUpload } from '@/src/storage/upload';
import { createAccount, createTenant } from '../helpers/accounts';
import { onServer, withHolder } from '../helpers/locks';
import { withOwnDatabase } from '../helpers/own-database';
import { promised } from '../helpers/promised';
import { until } from '../helpers/until';
import { closeServers } from '../outbound/servers';
import { openBucket, refuse } from './bucket';
import {
  drain,
  exists,
  forgetBucket,
  inMinutes,
  publicUrl,
  queuedUrls,
  samples,
  temporaryFiles,
  upload,
} from './files';

withOwnDatabase();
const folder = temporaryFiles();
afterEach(async () => {
  await closeServers();
  forgetBucket();
});

const hoursMs = 60 * 60 * 1000;

/** Looks at what was uploaded by then, and removes what is to go. */
async function look(hoursFromNow: number) {
  const now = new Date(Date.now() + hoursFromNow * hoursMs);
  await startDrain([unnamedFilesJob], { deadlineAt: Date.now() + 60_000, now }).finished;
  await drain(now);
}

function storedFiles(accountId: string) {
  return database().storedFile.findMany({ where: { userId: accountId } });
}

const store = (accountId: string) =>
  storeUpload(accountId, 'avatar', new Blob([samples.png]).stream());

test('an uploaded file is noted with its account and the bytes that a disk gives it', async () => {
  const accountId = await createAccount();
  const { url } = await upload(folder, accountId, 'avatar');
  expect(await storedFiles(accountId)).toEqual([
    {
      key: url.slice(`${publicUrl}/files/`.length),
      url,
      userId: accountId,
      bytes: 4096n,
      checkedAt: null,
      createdAt: expect.any(Date),
    },
  ]);
});

test('it is noted before it is stored', async () => {
  const accountId = await createAccount();
  const bucket = await openBucket();
  let noted: number | undefined;
  bucket.instead = async (response) => {
    noted = (await storedFiles(accountId)).length;
    response.writeHead(200).end();
  };
  await store(accountId);
  expect(noted).toBe(1);
});

test('what is on its way is not removed for ten minutes, whatever is due', async () => {
  const accountId = await createAccount();
  const bucket = await openBucket();
  const removals: number[] = [];
  bucket.instead = async (response) => {
    bucket.instead = undefined;
    for (const minutes of [0, 9, 11]) {
      await drain(inMinutes(minutes));
      removals.push(bucket.requests.filter((request) => request.startsWith('DELETE ')).length);
    }
    response.writeHead(200).end();
  };
  // It took too long: what has come meanwhile is none.
  await expect(store(accountId)).rejects.toThrow();
  expect(removals).toEqual([0, 0, 1]);
});

test('what comes while its removal is under way is not kept, and leaves nothing behind', async () => {
  const accountId = await createAccount();
  const bucket = await openBucket();
  const { promise, resolve: arrive } = promised<void>();
  bucket.arrival = promise;
  const storing = store(accountId);
  await until(() => bucket.requests.length === 1);
  // There is nothing to remove yet.
  const { promise: asked, resolve: ask } = promised<ServerResponse>();
  bucket.instead = ask;
  const removing = drain(inMinutes(11));
  const removal = await asked;
  bucket.instead = undefined;
  arrive();
  await expect(storing).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  removal.writeHead(204).end();
  await removing;
  await drain();
  expect(bucket.objects.size).toBe(0);
  expect(await queuedUrls(accountId)).toEqual([]);
});

test('what comes after its account was closed is not kept', async () => {
  const accountId = await createAccount();
  const bucket = await openBucket();
  bucket.instead = async (response) => {
    bucket.instead = undefined;
    await closeAccount(accountId);
    response.writeHead(200).end();
  };
  await expect(store(accountId)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  expect(await queuedUrls(accountId)).toHaveLength(1);
});

test('where storing fails, what may be there is removed and no longer noted', async () => {
  const accountId = await createAccount();
  const bucket = await openBucket();
  bucket.instead = (response) => refuse(response, 503, 'SlowDown');
  await expect(store(accountId)).rejects.toThrow('503');
  bucket.instead = undefined;
  await drain();
  expect(bucket.requests.at(-1)).toMatch(/^DELETE /);
  expect(await storedFiles(accountId)).toEqual([]);
  expect(await queuedUrls(accountId)).toEqual([]);
});

test('where storing fails and its removal cannot be brought forward, it is told why storing has failed, and the file goes later', async () => {
  const accountId = await createAccount();
  const bucket = await openBucket();
  const away = new Error('The database is away');
  const warn = jest.spyOn(log(), 'warn').mockReturnValue();
  bucket.instead = (response) => {
    jest.spyOn(database(), '$executeRaw').mockRejectedValueOnce(away);
    refuse(response, 503, 'SlowDown');
  };
  await expect(store(accountId)).rejects.toThrow('503');
  expect(warn.mock.calls).toEqual([
    [{ err: away, key: expect.any(String) }, 'file that was not stored is removed later'],
  ]);
  jest.restoreAllMocks();
  bucket.instead = undefined;
  await drain(inMinutes(11));
  expect(bucket.requests.at(-1)).toMatch(/^DELETE /);
  expect(await storedFiles(accountId)).toEqual([]);
});

test('a removed file is no longer noted', async () => {
  const { accountId, api, space, testimonial } = await createTenant();
  const { url } = await upload(folder, accountId, 'video');
  const { id } = await testimonial((await space()).id, { video_url: url });
  await api.delete(`/testimonials/${id}`);
  await drain();
  expect(await storedFiles(accountId)).toEqual([]);
});

describe('a day after its upload', () => {
  test('a file that no row names is removed, and not before', async () => {
    const accountId = await createAccount();
    const { path } = await upload(folder, accountId, 'avatar');
    await look(23);
    expect(await exists(path)).toBe(true);
    await look(25);
    expect(await exists(path)).toBe(false);
    expect(await storedFiles(accountId)).toEqual([]);
    expect(await queuedUrls(accountId)).toEqual([]);
  });

  test('so is one whose process ended before it was stored', async () => {
    const accountId = await createAccount();
    const key = `avatar/${accountId}/${randomUUID()}.png`;
    const url = `${publicUrl}/files/${key}`;
    await database().storedFile.create({ data: { key, url, userId: accountId, bytes: 1 } });
    await look(25);
    expect(await storedFiles(accountId)).toEqual([]);
  });

  test('a file that a row of the account names stays', async () => {
    const { accountId, space, testimonial } = await createTenant();
    const [avatar, video, thumbnail, logo, image] = await Promise.all([
      upload(folder, accountId, 'avatar'),
      upload(folder, accountId, 'video'),
      upload(folder, accountId, 'thumbnail'),
      upload(folder, accountId, 'logo'),
      upload(folder, accountId, 'avatar'),
    ]);
    const { id: spaceId } = await space({ logo_url: logo.url });
    await testimonial(spaceId, { submitter_avatar_url: avatar.url });
    await testimonial(spaceId, { video_url: video.url });
    await testimonial(spaceId, { video_thumbnail_url: thumbnail.url });
    await database().user.update({ where: { id: accountId }, data: { image: image.url } });
    await look(25);
    const paths = [avatar, video, thumbnail, logo, image].map(({ path }) => path);
    expect(await Promise.all(paths.map(exists))).toEqual(paths.map(() => true));
  });

  test('a file of a storage that is not configured waits until it is', async () => {
    const accountId = await createAccount();
    const { path } = await upload(folder, accountId, 'avatar');
    await openBucket();
    await look(25);
    expect(await storedFiles(accountId)).toMatchObject([{ checkedAt: null }]);
    forgetBucket();
    await look(26);
    expect(await exists(path)).toBe(false);
  });

  onServer('a batch does not wait for a file that is being moved', async () => {
    const { accountId, api, space, testimonial } = await createTenant();
    const { url } = await upload(folder, accountId, 'avatar');
    const { id } = await testimonial((await space()).id, { submitter_avatar_url: url });
    await withHolder(async (mover) => {
      await mover.query('SELECT FROM stored_files WHERE url = $1 FOR UPDATE', [url]);
      const answer = await api.post('/testimonials/batch/delete', { testimonial_ids: [id] });
      expect(answer.status).toBe(200);
    });
  });

  test('a file that only another account names is removed', async () => {
    const accountId = await createAccount();
    const { path, url } = await upload(folder, accountId, 'avatar');
    const stranger = await createTenant();
    await stranger.testimonial((await stranger.space({ logo_url: url })).id, {
      submitter_avatar_url: url,
    });
    await upload(folder, stranger.accountId, 'avatar');
    await look(25);
    expect(await exists(path)).toBe(false);
  });

  test('it is looked at once: what a batch leaves behind later stays', async () => {
    const { accountId, api, space, testimonial } = await createTenant();
    const { path, url } = await upload(folder, accountId, 'avatar');
    const { id } = await testimonial((await space()).id, { submitter_avatar_url: url });
    await look(25);
    await api.post('/testimonials/batch/delete', { testimonial_ids: [id] });
    await look(50);
    expect(await exists(path)).toBe(true);
  });

  test('what a batch leaves behind on the day of its upload stays as well', async () => {
    const { accountId, api, space, testimonial } = await createTenant();
    const [avatar, video, thumbnail, unused] = await Promise.all([
      upload(folder, accountId, 'avatar'),
      upload(folder, accountId, 'video'),
      upload(folder, accountId, 'thumbnail'),
      upload(folder, accountId, 'avatar'),
    ]);
    const stranger = await createTenant();
    const ofStranger = await upload(folder, stranger.accountId, 'avatar');
    const { id } = await testimonial((await space()).id, {
      submitter_avatar_url: avatar.url,
      video_url: video.url,
      video_thumbnail_url: thumbnail.url,
    });
    const { id: other } = await testimonial((await space()).id, {
      submitter_avatar_url: ofStranger.url,
    });
    await api.post('/testimonials/batch/delete', { testimonial_ids: [id, other] });
    await look(25);
    const files = [avatar, video, thumbnail, unused, ofStranger];
    expect(await Promise.all(files.map(({ path }) => exists(path)))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });

  test('more files than one statement looks at are all looked at', async () => {
    const accountId = await createAccount();
    await database().storedFile.createMany({
      data: Array.from({ length: 250 }, () => {
        const key = `avatar/${accountId}/${randomUUID()}.png`;
        return { key, url: `${publicUrl}/files/${key}`, userId: accountId, bytes: 1 };
      }),
    });
    await look(25);
    expect(await storedFiles(accountId)).toEqual([]);
  });
});
