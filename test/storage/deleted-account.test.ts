import { accountDeletionJob } from '@/src/accounts/deletion-job';
import { startDrain } from '@/src/background/drain';
import { database } from '@/src/database/client';
import { makeKey } from '@/src/storage/key';
import { noteStoredFile } from '@/src/storage/stored-files';
import { storeUpload } from '@/src/storage/upload';
import { createTenant } from '../helpers/accounts';
import { withOwnDatabase } from '../helpers/own-database';
import { until } from '../helpers/until';
import { closeServers } from '../outbound/servers';
import { openBucket, refuse } from './bucket';
import { drain, inMinutes, queuedUrls, samples, temporaryFiles } from './files';

withOwnDatabase();
temporaryFiles();
afterEach(closeServers);

/** With its files, of which those on their way are not there yet. */
async function removeAccount(accountId: string): Promise<void> {
  await database()
    .$executeRaw`UPDATE users SET closed_at = clock_timestamp() WHERE id = ${accountId}::uuid`;
  const deletion = { deadlineAt: Date.now() + 60_000, now: inMinutes(2) };
  expect((await startDrain([accountDeletionJob], deletion).finished).hasFailed).toBe(false);
  await drain(inMinutes(2));
}

test('a file on its way while its account is deleted is removed once it is there', async () => {
  const bucket = await openBucket();
  const { accountId } = await createTenant();
  let arrive = () => {};
  bucket.arrival = new Promise((done) => {
    arrive = done;
  });
  const upload = storeUpload(accountId, 'avatar', new Blob([samples.png]).stream());
  await until(() => bucket.requests.length === 1);
  await removeAccount(accountId);
  arrive();
  await expect(upload).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  expect(bucket.objects.size).toBe(1);
  await drain(inMinutes(4));
  expect(bucket.objects.size).toBe(0);
});

test('so is one whose process is killed before it hears that it is there', async () => {
  const bucket = await openBucket();
  const { accountId } = await createTenant();
  const key = makeKey('avatar', accountId, 'png');
  await noteStoredFile({ accountId, key, bytes: 4096 });
  await removeAccount(accountId);
  bucket.objects.set(key, { bytes: Buffer.from(samples.png), contentType: 'image/png' });
  await drain(inMinutes(12));
  expect(bucket.objects.size).toBe(0);
  expect(await queuedUrls(accountId)).toEqual([]);
});

test('so is one of which the storage says meanwhile that it failed: some of it may be there', async () => {
  const bucket = await openBucket();
  const { accountId } = await createTenant();
  bucket.instead = async (response) => {
    bucket.instead = undefined;
    await removeAccount(accountId);
    refuse(response, 403, 'AccessDenied');
  };
  const upload = storeUpload(accountId, 'avatar', new Blob([samples.png]).stream());
  await expect(upload).rejects.toThrow('The storage answered 403');
  expect(await queuedUrls(accountId)).toHaveLength(1);
});

test('of a file whose account is gone before all of it has come, nothing is stored', async () => {
  const bucket = await openBucket();
  const { accountId } = await createTenant();
  async function* body() {
    await removeAccount(accountId);
    yield samples.png;
  }
  const upload = storeUpload(accountId, 'avatar', body());
  await expect(upload).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  expect(bucket.requests.filter((request) => request.includes(accountId))).toEqual([]);
});
