import fs, { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { GET } from '@/app/files/[...key]/route';
import { createTurns } from '@/src/background/turn';
import { database } from '@/src/database/client';
import { parseEnv, provideEnv } from '@/src/env';
import { withTemporaryFolder } from '@/src/file-system/temporary-folder';
import { log } from '@/src/logging/log';
import { removalJob } from '@/src/storage/removal-job';
import { s3Limits } from '@/src/storage/s3';
import { configuredBucket, storage } from '@/src/storage/storage';
import { queueUnnamed } from '@/src/storage/stored-files';
import { storeUpload } from '@/src/storage/upload';
import { createTenant } from '../helpers/accounts';
import { settled } from '../helpers/next-server';
import { onLinux } from '../helpers/on-linux';
import { openFilesOf } from '../helpers/open-files';
import { withOwnDatabase } from '../helpers/own-database';
import { enoughHeard, largeBytes, serveEnoughHeard } from '../outbound/cut-uploads';
import { closeServers } from '../outbound/servers';
import { openBucket, refuse } from './bucket';
import {
  drain,
  forgetBucket,
  inMinutes,
  publicUrl,
  queuedUrls,
  samples,
  temporaryFiles,
} from './files';

withOwnDatabase();
temporaryFiles();
afterEach(closeServers);

// Failures are told once a minute.
beforeEach(() => {
  Reflect.deleteProperty(globalThis, Symbol.for('testimonials.removals that fail'));
});

// What a test has left in its bucket is nothing that the next could remove.
afterEach(() => database().fileRemoval.deleteMany());

/** A testimonial whose video lies in the bucket. */
async function testimonialWithVideo() {
  const bucket = await openBucket();
  const tenant = await createTenant();
  const video = new Blob([samples.mp4]).stream();
  const { url } = await storeUpload(tenant.accountId, 'video', video);
  const key = url.slice(`${publicUrl}/bucket/`.length);
  const { id: spaceId } = await tenant.space();
  const { id } = await tenant.testimonial(spaceId, { video_url: url });
  return { ...tenant, bucket, id, url, key };
}

test('an upload is stored in the bucket, as its type and under its public address', async () => {
  const { bucket, accountId, url, key } = await testimonialWithVideo();
  expect(url).toMatch(new RegExp(`^${publicUrl}/bucket/video/${accountId}/[0-9a-f-]{36}[.]mp4$`));
  expect(bucket.objects.get(key)).toEqual({ bytes: samples.mp4, contentType: 'video/mp4' });
  const served = await GET(new Request(`${publicUrl}/files/${key}`));
  expect(served.status).toBe(404);
});

test('without a public address, files are known by the one of the bucket', async () => {
  const { S3_ENDPOINT } = (await openBucket()).settings;
  provideEnv({ STORAGE_PUBLIC_URL: '' });
  const { accountId } = await createTenant();
  const { url } = await storeUpload(accountId, 'avatar', new Blob([samples.png]).stream());
  expect(url.startsWith(`${S3_ENDPOINT}/files/avatar/${accountId}/`)).toBe(true);
});

test('a slash at the end of the public address is none of a file’s', async () => {
  await openBucket();
  provideEnv({ STORAGE_PUBLIC_URL: 'https://files.example/' });
  const { accountId } = await createTenant();
  const { url } = await storeUpload(accountId, 'avatar', new Blob([samples.png]).stream());
  expect(url.startsWith(`https://files.example/avatar/${accountId}/`)).toBe(true);
});

test('deleting the testimonial removes the file', async () => {
  const { api, bucket, accountId, id, key } = await testimonialWithVideo();
  expect((await api.delete(`/testimonials/${id}`)).status).toBe(204);
  await drain();
  expect(bucket.requests).toContain(`DELETE /files/${key}`);
  expect(bucket.objects.size).toBe(0);
  expect(await queuedUrls(accountId)).toEqual([]);
});

test('a file that is gone already counts as removed', async () => {
  const { api, bucket, accountId, id } = await testimonialWithVideo();
  bucket.instead = (response) => refuse(response, 404, 'NoSuchKey');
  await api.delete(`/testimonials/${id}`);
  await drain();
  expect(await queuedUrls(accountId)).toEqual([]);
});

describe('while the storage fails, the API is unaffected and nothing is lost', () => {
  test.each<[string, Parameters<typeof refuse>[1] | 'hang up', string]>([
    ['wrong credentials', 403, 'SignatureDoesNotMatch'],
    ['a missing bucket', 404, 'NoSuchBucket'],
    ['an error of the service', 500, 'InternalError'],
    ['no connection', 'hang up', ''],
  ])('%s', async (_, failure, code) => {
    const { api, bucket, accountId, id, url } = await testimonialWithVideo();
    bucket.instead = (response) => {
      if (failure === 'hang up') response.destroy();
      else refuse(response, failure, code);
    };
    const warnings: unknown[] = [];
    jest.spyOn(log(), 'warn').mockImplementation((line: unknown) => void warnings.push(line));
    expect((await api.delete(`/testimonials/${id}`)).status).toBe(204);
    await drain();
    expect(await queuedUrls(accountId)).toEqual([url]);
    expect(warnings).toEqual([expect.objectContaining({ attempts: 1, err: expect.anything() })]);
    if (failure !== 'hang up') expect(String(Object(warnings[0]).err)).toContain(code);

    // Not before its time, then later and later, and in the end it goes.
    const before = bucket.requests.length;
    await drain(new Date());
    expect(bucket.requests).toHaveLength(before);
    await drain(inMinutes(2));
    expect(bucket.requests).toHaveLength(before + 1);
    await drain(inMinutes(4));
    expect(bucket.requests).toHaveLength(before + 1);
    bucket.instead = undefined;
    await drain(inMinutes(8));
    expect(bucket.objects.size).toBe(0);
    expect(await queuedUrls(accountId)).toEqual([]);
  });

  test('an upload fails with an error that tells the client nothing', async () => {
    const bucket = await openBucket();
    const { accountId } = await createTenant();
    bucket.instead = (response) => refuse(response, 403, 'InvalidAccessKeyId');
    const upload = storeUpload(accountId, 'avatar', new Blob([samples.png]).stream());
    await expect(upload).rejects.toThrow('The storage answered 403');
  });
});

test('a wrong secret is found out by the signature', async () => {
  const bucket = await openBucket();
  provideEnv({ S3_SECRET_ACCESS_KEY: 'another' });
  const { accountId } = await createTenant();
  const upload = storeUpload(accountId, 'avatar', new Blob([samples.png]).stream());
  await expect(upload).rejects.toThrow('SignatureDoesNotMatch');
  expect(bucket.objects.size).toBe(0);
});

test('a storage that says nothing is left at the deadline', async () => {
  const bucket = await openBucket();
  bucket.instead = () => {};
  await expect(storage().remove('a-key', AbortSignal.timeout(100))).rejects.toMatchObject({
    name: 'TimeoutError',
  });
});

test('a removal that is under way is left when the process stops, and waits for the next', async () => {
  const { api, bucket, accountId, id, url } = await testimonialWithVideo();
  await api.delete(`/testimonials/${id}`);
  await settled();
  const asked = new Promise<void>((resolve) => {
    bucket.instead = () => resolve();
  });
  const warnings: unknown[] = [];
  jest.spyOn(log(), 'warn').mockImplementation((line: unknown) => void warnings.push(line));
  const onDone = () => {};
  const turns = createTurns([removalJob], { random: Math.random, isAlone: false, onDone });
  await turns.take();
  await asked;
  turns.abort();
  await turns.settled();
  // And not when its time was over.
  expect(warnings).toEqual([
    expect.objectContaining({ err: expect.objectContaining({ name: 'AbortError' }) }),
  ]);
  expect(await queuedUrls(accountId)).toEqual([url]);
});

test.each([301, 302, 303, 307, 308])(
  'a redirect (%d) has neither stored, fetched nor removed anything',
  async (status) => {
    const bucket = await openBucket();
    bucket.instead = (response) => {
      const isFirst = bucket.requests.at(-1)?.endsWith('/a-key');
      if (isFirst) response.writeHead(status, { location: '/sign-in' });
      response.end('<h1>Sign in</h1>');
    };
    await withTemporaryFolder(async (folder) => {
      const path = join(folder, 'file');
      const refusal = `The storage answered ${status}`;
      await expect(configuredBucket().get('a-key', path, 100)).rejects.toThrow(refusal);
      await expect(storage().remove('a-key', AbortSignal.timeout(10_000))).rejects.toThrow(refusal);
      writeFileSync(path, 'the file');
      await expect(storage().put('a-key', path, 'video/mp4')).rejects.toThrow(refusal);
    });
  },
);

type Refuse = NonNullable<Awaited<ReturnType<typeof openBucket>>['instead']>;

const silent: Refuse = () => {};

test.each<[string, (path: string) => Promise<unknown>, Refuse]>([
  ['stored', (path) => storage().put('a-key', path, 'video/mp4'), silent],
  ['fetched', (path) => configuredBucket().get('a-key', `${path}-too`, 100), silent],
  [
    'fetched whole',
    (path) => configuredBucket().get('a-key', `${path}-too`, 100),
    (response) => response.writeHead(200, { 'content-length': 100 }).write('the beginning'),
  ],
])('a file that is not %s in time is given up, for that reason', async (_, transfer, instead) => {
  jest.replaceProperty(s3Limits, 'transferTimeoutMs', 100);
  const bucket = await openBucket();
  bucket.instead = instead;
  await withTemporaryFolder(async (folder) => {
    const path = join(folder, 'file');
    writeFileSync(path, samples.mp4);
    await expect(transfer(path)).rejects.toMatchObject({ name: 'TimeoutError' });
  });
  jest.restoreAllMocks();
});

test('a missing bucket is told apart from a missing file', async () => {
  const bucket = await openBucket();
  await withTemporaryFolder(async (folder) => {
    const get = () => configuredBucket().get('a-key', join(folder, 'file'), 1000);
    expect(await get()).toBe(false);
    bucket.instead = (response) => refuse(response, 404, 'NoSuchBucket');
    await expect(get()).rejects.toThrow('NoSuchBucket');
  });
});

test('of a long refusal the beginning is told', async () => {
  const bucket = await openBucket();
  bucket.instead = (response) => refuse(response, 500, 'x'.repeat(100_000));
  const removed = storage().remove('a-key', AbortSignal.timeout(60_000));
  await expect(removed).rejects.toThrow(/^The storage answered 500: .{300}$/);
});

test('of a file that breaks off as it is fetched nothing is left', async () => {
  const bucket = await openBucket();
  bucket.instead = (response) => {
    response.writeHead(200, { 'content-length': 1000 });
    response.write('the beginning', () => response.destroy());
  };
  await withTemporaryFolder(async (folder) => {
    await expect(configuredBucket().get('a-key', join(folder, 'file'), 1000)).rejects.toThrow();
    expect(readdirSync(folder)).toEqual([]);
  });
});

test('nor where the disk opens it late', async () => {
  const bucket = await openBucket();
  bucket.instead = (response) => {
    response.writeHead(200, { 'content-length': 1000 });
    response.write('begun', () => response.destroy());
  };
  const open = fs.open.bind(fs);
  const late: Promise<void>[] = [];
  const opening = jest.spyOn(fs, 'open').mockImplementation((...args: unknown[]) => {
    late.push(sleep(200).then(() => Reflect.apply(open, fs, args)));
  });
  await withTemporaryFolder(async (folder) => {
    await expect(configuredBucket().get('a-key', join(folder, 'file'), 1000)).rejects.toThrow();
    await Promise.all(late);
    expect(readdirSync(folder)).toEqual([]);
  });
  opening.mockRestore();
});

test('what was queued for another storage is looked at once a day until that is configured', async () => {
  const { api, bucket, accountId, id, url } = await testimonialWithVideo();
  bucket.instead = (response) => refuse(response, 503, 'SlowDown');
  await api.delete(`/testimonials/${id}`);
  await drain();
  provideEnv({ S3_ENDPOINT: '', S3_BUCKET: '', S3_ACCESS_KEY_ID: '', S3_SECRET_ACCESS_KEY: '' });
  provideEnv({ STORAGE_PUBLIC_URL: '' });
  const before = bucket.requests.length;
  await drain(inMinutes(10));
  expect(await queuedUrls(accountId)).toEqual([url]);
  bucket.instead = undefined;
  provideEnv(bucket.settings);
  await drain(inMinutes(20));
  expect(bucket.requests).toHaveLength(before);
  await drain(inMinutes(24 * 60 + 10));
  expect(bucket.objects.size).toBe(0);
});

test('an upload that no row names stays while another storage is configured', async () => {
  const bucket = await openBucket();
  const { accountId } = await createTenant();
  const { url } = await storeUpload(accountId, 'avatar', new Blob([samples.png]).stream());
  forgetBucket();
  const tomorrow = inMinutes(24 * 60 + 1);
  await queueUnnamed(tomorrow);
  expect(await queuedUrls(accountId)).toEqual([]);
  provideEnv(bucket.settings);
  await queueUnnamed(tomorrow);
  expect(await queuedUrls(accountId)).toEqual([url]);
});

test('half a configuration is refused at start, with what is missing', () => {
  const half = { S3_BUCKET: 'files', S3_ENDPOINT: 'https://s3.example' };
  expect(() => parseEnv(half)).toThrow(/S3_ACCESS_KEY_ID: is missing[\s\S]*S3_SECRET_ACCESS_KEY/);
});

// Of one that says nothing, only the deadline of five minutes tells.
onLinux.each(enoughHeard.filter(([what]) => what !== 'says nothing'))(
  'a storage that %s before it has the whole file leaves no file open',
  async (_, react) => {
    await openBucket();
    const origin = await serveEnoughHeard(react);
    provideEnv({ S3_ENDPOINT: origin });
    await withTemporaryFolder(async (folder) => {
      const path = join(folder, 'file');
      writeFileSync(path, Buffer.alloc(largeBytes));
      await expect(storage().put('a-key', path, 'video/mp4')).rejects.toThrow();
      expect(openFilesOf(folder)).toEqual([]);
    });
  },
);
