import { storeUpload, uploadLimits } from '@/src/storage/upload';
import { createAccount } from '../helpers/accounts';
import { promised } from '../helpers/promised';
import { until } from '../helpers/until';
import { exists, samples, temporaryFiles, upload } from './files';

const folder = temporaryFiles();

/** An upload that begins and never goes on, until it is ended; it may be ended before it begins. */
function hangingUpload(accountId: string) {
  const { promise: ended, resolve: end } = promised<void>();
  const state = { isBeing: false };
  async function* body() {
    state.isBeing = true;
    yield samples.png;
    await ended;
  }
  const stored = storeUpload(accountId, 'avatar', body());
  stored.catch(() => {});
  return { state, stored, end };
}

test('one account with many slow uploads takes half of the places: others go on', async () => {
  const busy = await createAccount();
  const uploads = Array.from({ length: 8 }, () => hangingUpload(busy));
  const underWay = () => uploads.filter(({ state }) => state.isBeing).length;
  await until(() => underWay() === 2);

  const { path } = await upload(folder, await createAccount(), 'avatar');
  expect(await exists(path)).toBe(true);
  expect(underWay()).toBe(2);

  for (const { end } of uploads) end();
  await Promise.all(uploads.map(({ stored }) => stored));
});

test('who finds no place in time is told to try again', async () => {
  const rivals: ReturnType<typeof hangingUpload>[] = [];
  for (const count of [2, 1, 1]) {
    const accountId = await createAccount();
    rivals.push(...Array.from({ length: count }, () => hangingUpload(accountId)));
  }
  await until(() => rivals.every(({ state }) => state.isBeing));
  jest.replaceProperty(uploadLimits, 'placeTimeoutMs', 50);
  const accountId = await createAccount();
  await expect(upload(folder, accountId, 'avatar')).rejects.toMatchObject({
    apiCode: 'RATE_LIMIT_EXCEEDED',
    message: expect.stringContaining('Try again'),
  });
  for (const { end } of rivals) end();
  await Promise.all(rivals.map(({ stored }) => stored));
});

test('one more than may wait of an account is refused at once', async () => {
  const accountId = await createAccount();
  const { waitingPerAccount } = uploadLimits;
  const uploads = Array.from({ length: 2 + waitingPerAccount }, () => hangingUpload(accountId));
  await expect(upload(folder, accountId, 'avatar')).rejects.toMatchObject({
    apiCode: 'RATE_LIMIT_EXCEEDED',
  });
  for (const { end } of uploads) end();
  await Promise.all(uploads.map(({ stored }) => stored));
});

test('an upload that brings next to nothing is ended, and its place is free', async () => {
  const rate = jest.replaceProperty(uploadLimits, 'rate', { bytesPerSecond: 1024, windowMs: 20 });
  const accountId = await createAccount();
  await expect(hangingUpload(accountId).stored).rejects.toMatchObject({
    apiCode: 'VALIDATION_ERROR',
    message: 'The upload is too slow.',
  });
  rate.restore();
  const { path } = await upload(folder, accountId, 'avatar');
  expect(await exists(path)).toBe(true);
});
