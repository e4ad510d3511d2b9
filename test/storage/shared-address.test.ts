/** Storages of which one has its files at the address of the other, or below it. */
import { rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { provideEnv } from '@/src/env';
import { moveFiles } from '@/src/storage/moving';
import { storeUpload } from '@/src/storage/upload';
import { createTenant } from '../helpers/accounts';
import { openBucket } from './bucket';
import { drain, filesToMove, publicUrl, queuedUrls, samples, upload } from './files';

const folder = filesToMove();

test('files of a bucket that is read below the address of the folder are moved to the folder', async () => {
  const { api, accountId, space, testimonial } = await createTenant();
  const { url, path } = await upload(folder, accountId, 'video');
  const { id } = await testimonial((await space()).id, { video_url: url });
  await openBucket();
  provideEnv({ STORAGE_PUBLIC_URL: `${publicUrl}/files/media` });
  expect(await moveFiles('bucket', () => {})).toEqual({ moved: 1, missing: 0 });
  rmSync(join(folder, 'files'), { recursive: true });
  expect(await moveFiles('folder', () => {})).toEqual({ moved: 1, missing: 0 });
  expect((await api.get(`/testimonials/${id}`)).body.data.video_url).toBe(url);
  expect(await readFile(path)).toEqual(samples.mp4);
});

test('files are moved also where both storages are read at one address, which their rows keep', async () => {
  const { api, accountId, space, testimonial } = await createTenant();
  const { url, path } = await upload(folder, accountId, 'video');
  const { id } = await testimonial((await space()).id, { video_url: url });
  const { body } = await api.get(`/testimonials/${id}`);
  const bucket = await openBucket();
  provideEnv({ STORAGE_PUBLIC_URL: `${publicUrl}/files` });
  expect(await moveFiles('bucket', () => {})).toEqual({ moved: 1, missing: 0 });
  expect([...bucket.objects.values()].map(({ bytes }) => bytes)).toEqual([samples.mp4]);
  rmSync(join(folder, 'files'), { recursive: true });
  expect(await moveFiles('folder', () => {})).toEqual({ moved: 1, missing: 0 });
  expect(await readFile(path)).toEqual(samples.mp4);
  expect((await api.get(`/testimonials/${id}`)).body).toEqual(body);
});

test('a file below the address of the storage that is configured waits for its own', async () => {
  const { api, accountId, space, testimonial } = await createTenant();
  const bucket = await openBucket();
  provideEnv({ STORAGE_PUBLIC_URL: `${publicUrl}/bucket/first` });
  const { url } = await storeUpload(accountId, 'video', new Blob([samples.mp4]).stream());
  const { id } = await testimonial((await space()).id, { video_url: url });
  provideEnv({ STORAGE_PUBLIC_URL: `${publicUrl}/bucket`, S3_BUCKET: 'second' });
  bucket.instead = (response) => void response.writeHead(204).end();
  await api.delete(`/testimonials/${id}`);
  await drain();
  bucket.instead = undefined;
  expect(await queuedUrls(accountId)).toEqual([url]);
  provideEnv({ STORAGE_PUBLIC_URL: `${publicUrl}/bucket/first`, S3_BUCKET: bucket.name });
  await drain(new Date(Date.now() + 25 * 3_600_000));
  expect(await queuedUrls(accountId)).toEqual([]);
  expect(bucket.objects.size).toBe(0);
});
