import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { env } from '@/src/env';
import { storeUpload } from '@/src/storage/upload';
import { createTenant } from '../helpers/accounts';
import { withOwnDatabase } from '../helpers/own-database';
import { closeServers } from '../outbound/servers';
import { openBucket } from './bucket';
import { drain, exists, publicUrl, queuedUrls, samples, temporaryFiles, upload } from './files';

withOwnDatabase();
const folder = temporaryFiles();
afterEach(closeServers);

/** Starts a process that deletes the testimonial; resolves when the deletion is committed. */
async function deleteElsewhere(settings: Record<string, string>, ...args: string[]) {
  const { DATABASE_URL = '' } = env();
  const child = spawn(
    process.execPath,
    ['--require', require.resolve('tsx/cjs'), join(__dirname, 'deleting-process.ts'), ...args],
    { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, DATABASE_URL, ...settings } },
  );
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  expect(line).toBe('deleted');
  return child;
}

async function killHard(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

test.each([
  ['copies a file', (incoming: string) => writeFile(incoming, 'half of it')],
  [
    'moves it back to the folder',
    (incoming: string) => mkdir(join(incoming, 'of one run', 'file'), { recursive: true }),
  ],
])('what a process leaves that is killed as it %s goes with the file', async (_, leave) => {
  const { api, accountId, space, testimonial } = await createTenant();
  const { url, path } = await upload(folder, accountId, 'video');
  await leave(`${path}.incoming`);
  const { id } = await testimonial((await space()).id, { video_url: url });
  await api.delete(`/testimonials/${id}`);
  await drain();
  expect([await exists(path), await exists(`${path}.incoming`)]).toEqual([false, false]);
});

test('killed between commit and removal, the files go all the same', async () => {
  const { accountId, space, testimonial } = await createTenant();
  const { url, path } = await upload(folder, accountId, 'video');
  const { id } = await testimonial((await space()).id, { video_url: url });
  const settings = { DATA_FOLDER: folder, PUBLIC_URL: publicUrl };
  await killHard(await deleteElsewhere(settings, accountId, id));
  expect(await exists(path)).toBe(true);
  await drain();
  expect(await exists(path)).toBe(false);
  expect(await queuedUrls(accountId)).toEqual([]);
});

test('killed in the middle of a removal, it is done again a minute later', async () => {
  const bucket = await openBucket();
  const { accountId, space, testimonial } = await createTenant();
  const stored = await storeUpload(accountId, 'video', new Blob([samples.mp4]).stream());
  const { id } = await testimonial((await space()).id, { video_url: stored.url });
  const arrived = new Promise<void>((resolve) => {
    bucket.instead = () => resolve();
  });
  const child = await deleteElsewhere(bucket.settings, accountId, id, 'and remove');
  await arrived;
  await killHard(child);
  bucket.instead = undefined;
  await drain();
  expect(bucket.objects.size).toBe(1);
  await drain(new Date(Date.now() + 70_000));
  expect(bucket.objects.size).toBe(0);
  expect(await queuedUrls(accountId)).toEqual([]);
});
