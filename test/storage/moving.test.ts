import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { dirname, join } from 'node:path';
import { moveFilesScript } from '@/src/cli/move-files';
import { database } from '@/src/database/client';
import { provideEnv } from '@/src/env';
import { makeKey } from '@/src/storage/key';
import { moveFiles } from '@/src/storage/moving';
import { claimRemovals, removeFile } from '@/src/storage/removal-queue';
import { run } from '../cli/run';
import { whatIsFlushed } from '../file-system/flushed';
import { createTenant } from '../helpers/accounts';
import { onServer } from '../helpers/locks';
import { settled } from '../helpers/next-server';
import { until } from '../helpers/until';
import { closeServers } from '../outbound/servers';
import { openBucket, refuse } from './bucket';
import {
  drain,
  exists,
  filesToMove,
  forgetBucket,
  publicUrl,
  queuedUrls,
  samples,
  upload,
} from './files';

const folder = filesToMove();

/** A testimonial and a space that name uploaded files, in the folder. */
async function tenantWithFiles() {
  const tenant = await createTenant();
  const [video, logo] = [
    await upload(folder, tenant.accountId, 'video'),
    await upload(folder, tenant.accountId, 'logo'),
  ];
  const { id: spaceId } = await tenant.space({ logo_url: logo.url });
  const { id } = await tenant.testimonial(spaceId, { video_url: video.url });
  const read = async () => ({
    video: (await tenant.api.get(`/testimonials/${id}`)).body.data.video_url,
    logo: (await tenant.api.get(`/spaces/${spaceId}`)).body.data.logo_url,
  });
  const keyOf = (url: string) => url.slice(`${publicUrl}/files/`.length);
  return { ...tenant, id, video, logo, read, keys: [keyOf(video.url), keyOf(logo.url)] };
}

test('files go to the bucket and back, with their addresses in all rows of their account', async () => {
  const tenant = await tenantWithFiles();
  const before = await tenant.read();
  const bucket = await openBucket();
  expect(await run(moveFilesScript, ['--to', 'bucket'])).toMatchObject({
    code: 0,
    printed: ['Moved 2 files to the bucket.'],
  });
  const [video, logo] = tenant.keys;
  expect(await tenant.read()).toEqual({
    video: `${publicUrl}/bucket/${video}`,
    logo: `${publicUrl}/bucket/${logo}`,
  });
  expect(bucket.objects.get(video ?? '')).toEqual({ bytes: samples.mp4, contentType: 'video/mp4' });

  expect(await exists(tenant.video.path)).toBe(true);
  // As on a machine that has none yet.
  rmSync(dirname(tenant.video.path), { recursive: true });
  const flushed = await whatIsFlushed(async () => {
    expect(await run(moveFilesScript, ['--to', 'folder'])).toMatchObject({ code: 0 });
  });
  expect(flushed).toHaveLength(4);
  expect(flushed).toContain(samples.mp4.length);
  expect(await tenant.read()).toEqual(before);
  expect(await readFile(tenant.video.path)).toEqual(samples.mp4);
});

test('a row of another account that names the file keeps the address that it has', async () => {
  const { api, space, testimonial } = await createTenant();
  const { video, read } = await tenantWithFiles();
  await openBucket();
  const { id } = await testimonial((await space()).id, { video_url: video.url });
  expect(await moveFiles('bucket', () => {})).toEqual({ moved: 2, missing: 0 });
  expect((await read()).video).not.toBe(video.url);
  expect((await api.get(`/testimonials/${id}`)).body.data.video_url).toBe(video.url);
});

test('where the bucket fails, what is left is moved by the next run, and nothing twice', async () => {
  const tenant = await tenantWithFiles();
  const bucket = await openBucket();
  bucket.instead = (response) => {
    if (bucket.requests.length === 1) response.writeHead(200).end();
    else refuse(response, 503, 'SlowDown');
  };
  const failed = await run(moveFilesScript, ['--to', 'bucket']);
  expect(failed).toMatchObject({ code: 1, said: [expect.stringContaining('answered 503')] });
  bucket.instead = undefined;
  expect(await run(moveFilesScript, ['--to', 'bucket'])).toMatchObject({
    printed: ['Moved 1 files to the bucket.'],
  });
  expect(Object.values(await tenant.read()).every((url) => url.includes('/bucket/'))).toBe(true);
});

test('a bucket that cannot be reached is told of with the file and the reason', async () => {
  const { keys } = await tenantWithFiles();
  await openBucket();
  await closeServers();
  const { code, said } = await run(moveFilesScript, ['--to', 'bucket']);
  expect({ code, said }).toEqual({ code: 1, said: [expect.stringContaining('ECONNREFUSED')] });
  expect(keys.some((key) => said[0]?.startsWith(`The file ${key} cannot be moved: `))).toBe(true);
});

test('where the bucket sends another file than was uploaded, file and addresses stay as they were', async () => {
  const tenant = await tenantWithFiles();
  const bucket = await openBucket();
  await run(moveFilesScript, ['--to', 'bucket']);
  const before = await tenant.read();
  bucket.instead = (response) => void response.end(Buffer.alloc(9_000));
  const { code, said } = await run(moveFilesScript, ['--to', 'folder']);
  expect({ code, said }).toEqual({
    code: 1,
    said: [expect.stringMatching(/of another size than was uploaded under (video|logo)[/]/)],
  });
  expect(await tenant.read()).toEqual(before);
  expect(await readFile(tenant.video.path)).toEqual(samples.mp4);
});

test('a file that is not there keeps its address and is counted', async () => {
  const tenant = await tenantWithFiles();
  const before = await tenant.read();
  rmSync(tenant.video.path);
  await openBucket();
  const { printed, said } = await run(moveFilesScript, ['--to', 'bucket']);
  expect(printed).toEqual(['Moved 1 files to the bucket.']);
  expect(said).toEqual([expect.stringMatching(/^1 files were not there/)]);
  expect((await tenant.read()).video).toBe(before.video);
});

test('all files are gone through, also those behind the ones that are looked up at once', async () => {
  const userId = randomUUID();
  const data = Array.from({ length: 250 }, () => {
    const key = makeKey('logo', userId, 'png');
    return { key, url: `${publicUrl}/files/${key}`, userId, bytes: 1 };
  });
  await database().storedFile.createMany({ data });
  await openBucket();
  expect(await moveFiles('bucket', () => {})).toEqual({ moved: 0, missing: 250 });
});

test('a file that cannot be looked at is not counted as one that is not there', async () => {
  const tenant = await tenantWithFiles();
  await openBucket();
  const { path } = tenant.video;
  rmSync(dirname(path), { recursive: true });
  writeFileSync(dirname(path), 'a file in its way');
  const { code, said } = await run(moveFilesScript, ['--to', 'bucket']);
  expect({ code, said }).toEqual({ code: 1, said: [expect.stringContaining('ENOTDIR')] });
});

/** Lets the service, which keeps its files in the folder, do something while the bucket takes a file. */
function whileCopied(bucket: Awaited<ReturnType<typeof openBucket>>, work: () => Promise<unknown>) {
  bucket.instead = async (response) => {
    bucket.instead = undefined;
    forgetBucket();
    await work();
    provideEnv(bucket.settings);
    response.writeHead(200).end();
  };
}

test('a file that is removed while it is copied leaves no copy at the new place', async () => {
  const { api, accountId, id, video, keys } = await tenantWithFiles();
  const bucket = await openBucket();
  const [key = ''] = keys;
  await database().storedFile.deleteMany({ where: { key: { not: key } } });
  whileCopied(bucket, async () => {
    await api.delete(`/testimonials/${id}`);
    await drain();
  });
  expect(await moveFiles('bucket', () => {})).toEqual({ moved: 0, missing: 0 });
  expect(await exists(video.path)).toBe(false);
  expect(await queuedUrls(accountId)).toEqual([`${publicUrl}/bucket/${key}`]);
  await drain();
  expect(bucket.requests.at(-1)).toBe(`DELETE /files/${key}`);
  expect(await queuedUrls(accountId)).toEqual([]);
});

test('a row that names the address from before, as its form was open meanwhile, gets the new one by the next run', async () => {
  const { api, accountId, space, testimonial } = await createTenant();
  const { url } = await upload(folder, accountId, 'video');
  const bucket = await openBucket();
  expect(await moveFiles('bucket', () => {})).toEqual({ moved: 1, missing: 0 });
  const { id } = await testimonial((await space()).id, { video_url: url });
  const sent = bucket.requests.length;
  expect(await moveFiles('bucket', () => {})).toEqual({ moved: 1, missing: 0 });
  expect(bucket.requests).toHaveLength(sent);
  const moved = url.replace('/files/', '/bucket/');
  expect((await api.get(`/testimonials/${id}`)).body.data.video_url).toBe(moved);
  expect(await moveFiles('bucket', () => {})).toEqual({ moved: 0, missing: 0 });
  await api.delete(`/testimonials/${id}`);
  await drain();
  expect(bucket.objects.size).toBe(0);
});

test('and so does one that names the address in the bucket, once the files are in the folder again', async () => {
  const { api, accountId, space, testimonial } = await createTenant();
  const { url } = await upload(folder, accountId, 'video');
  await openBucket();
  await moveFiles('bucket', () => {});
  expect(await moveFiles('folder', () => {})).toEqual({ moved: 1, missing: 0 });
  const video_url = url.replace('/files/', '/bucket/');
  const { id } = await testimonial((await space()).id, { video_url });
  expect(await moveFiles('folder', () => {})).toEqual({ moved: 1, missing: 0 });
  expect((await api.get(`/testimonials/${id}`)).body.data.video_url).toBe(url);
});

test('a file whose removal is under way while it is moved is removed at the new place too', async () => {
  const { api, accountId, id, video, keys } = await tenantWithFiles();
  const bucket = await openBucket();
  const [key = ''] = keys;
  await database().storedFile.deleteMany({ where: { key: { not: key } } });
  forgetBucket();
  await api.delete(`/testimonials/${id}`);
  await settled();
  const claimed = await claimRemovals({ limit: 20, start: randomUUID() });
  provideEnv(bucket.settings);
  await moveFiles('bucket', () => {});
  forgetBucket();
  for (const one of claimed) await removeFile(one, new AbortController().signal);
  expect(await exists(video.path)).toBe(false);
  provideEnv(bucket.settings);
  await drain(new Date(Date.now() + 3_600_000));
  expect(bucket.objects.size).toBe(0);
  expect(await queuedUrls(accountId)).toEqual([]);
});

test('two that move at once to the folder write no file together, and neither fails', async () => {
  const { keys, ...tenant } = await tenantWithFiles();
  const bucket = await openBucket();
  await moveFiles('bucket', () => {});
  rmSync(join(folder, 'files'), { recursive: true });
  const asked: ServerResponse[] = [];
  bucket.instead = (response) => void asked.push(response);

  const first = moveFiles('folder', () => {});
  await until(() => asked.length === 1);
  const key = keys.toSorted()[0] ?? '';
  const bytes = bucket.objects.get(key)?.bytes ?? Buffer.from('');
  asked[0]?.writeHead(200).write(bytes.subarray(0, 5));
  await until(() => sizesIn(folder).includes(5));
  const second = moveFiles('folder', () => {});
  const outcomes = Promise.allSettled([first, second]);
  await until(() => asked.length === 2);
  asked[1]?.writeHead(200).flushHeaders();
  await until(() => sizesIn(folder).includes(0));

  bucket.instead = undefined;
  asked[0]?.end(bytes.subarray(5));
  const path = join(folder, 'files', key);
  await until(() => existsSync(path));
  const once = await readFile(path);
  asked[1]?.end(bytes);
  const moved = { status: 'fulfilled', value: expect.objectContaining({ missing: 0 }) };
  const both = await outcomes;
  expect([once, await readFile(path)]).toEqual([bytes, bytes]);
  expect(both).toEqual([moved, moved]);
  expect(sizesIn(folder)).toHaveLength(keys.length);
  expect(await tenant.read()).toEqual({ video: tenant.video.url, logo: tenant.logo.url });
});

/** The sizes of all files below it. */
function sizesIn(root: string): number[] {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.flatMap(
    ({ parentPath, name }) =>
      statSync(join(parentPath, name), { throwIfNoEntry: false })?.size ?? [],
  );
}

test('without a bucket the command says what is missing', async () => {
  expect(await run(moveFilesScript, ['--to', 'bucket'])).toMatchObject({
    code: 1,
    said: [expect.stringContaining('No bucket is configured')],
  });
});

onServer(
  'files are moved while what names them is changed and deleted, and none ends in a deadlock',
  async () => {
    const { api, testimonial, space, video, logo } = await tenantWithFiles();
    await openBucket();
    const urls = [video.url, logo.url];
    const all = await Promise.all(
      Array.from({ length: 24 }, async (_, index) => {
        const { id: spaceId } = await space({ logo_url: logo.url });
        const [url, other] = index % 2 === 0 ? urls : urls.toReversed();
        const fields = { submitter_avatar_url: url, video_url: other, video_thumbnail_url: url };
        return { spaceId, id: (await testimonial(spaceId, fields)).id };
      }),
    );
    let isMoving = true;
    const answers: number[] = [];
    const repeat = async (path: string, body: Record<string, unknown>) => {
      while (isMoving) answers.push((await api.post(path, body)).status);
    };
    const testimonial_ids = all.slice(0, 20).map(({ id }) => id);
    const changes = ['approved', 'rejected', 'pending'].map((status) =>
      repeat('/testimonials/batch/update', { testimonial_ids, status }),
    );
    const deleting = async () => {
      for (const { spaceId, id } of all.slice(20)) {
        answers.push((await api.delete(`/testimonials/${id}`)).status);
        answers.push((await api.delete(`/spaces/${spaceId}`)).status);
      }
    };
    const moving = async () => {
      const totals = [];
      for (let round = 0; round < 6; round++) {
        for (const to of ['bucket', 'folder'] as const) totals.push(await moveFiles(to, () => {}));
      }
      return totals;
    };
    const moved = moving().finally(() => {
      isMoving = false;
    });
    const [totals] = await Promise.all([moved, deleting(), ...changes]);
    expect(totals).toEqual(Array(12).fill({ moved: 2, missing: 0 }));
    expect(answers.filter((status) => status >= 300)).toEqual([]);
  },
);
