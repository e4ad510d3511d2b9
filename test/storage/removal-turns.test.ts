import { randomUUID } from 'node:crypto';
import { mkdir, rmdir } from 'node:fs/promises';
import { startDrain } from '@/src/background/drain';
import { createTurns } from '@/src/background/turn';
import { database } from '@/src/database/client';
import { log } from '@/src/logging/log';
import { localPath } from '@/src/storage/local';
import { removalJob } from '@/src/storage/removal-job';
import { claimRemovals, removalLimits, removeFile } from '@/src/storage/removal-queue';
import { createAccount } from '../helpers/accounts';
import { withOwnDatabase } from '../helpers/own-database';
import { drain, publicUrl, temporaryFiles } from './files';

withOwnDatabase();
const folder = temporaryFiles();

/** An account with so many files to be removed, due for so long, at addresses that begin so. */
async function queue(count: number, ageMs: number, base = `${publicUrl}/files/`): Promise<string> {
  const accountId = await createAccount();
  const nextAttemptAt = new Date(Date.now() - ageMs);
  const rows = Array.from({ length: count }, () => {
    const key = `avatar/${accountId}/${randomUUID()}.png`;
    return { key, url: base + key, userId: accountId, nextAttemptAt };
  });
  await database().fileRemoval.createMany({ data: rows });
  return accountId;
}

test('the accounts take turns: one that deletes much keeps no other one waiting', async () => {
  const busy = await queue(300, 60_000);
  const others = await Promise.all([queue(2, 1000), queue(1, 1000), queue(1, 1000)]);
  const claim = async () => {
    const claimed = await claimRemovals({ limit: 20, start: randomUUID() });
    const count = (accountId: string) =>
      claimed.filter(({ key }) => key.includes(`/${accountId}/`)).length;
    return [busy, ...others].map(count);
  };
  expect(await claim()).toEqual([16, 2, 1, 1]);
  expect(await claim()).toEqual([20, 0, 0, 0]);
  await drain();
});

test('where there is room for one, one is taken, wherever the walk begins', async () => {
  await queue(2, 1000);
  for (const digit of ['0', 'f']) {
    const start = '00000000-0000-0000-0000-000000000000'.replaceAll('0', digit);
    expect(await claimRemovals({ limit: 1, start })).toHaveLength(1);
  }
});

test('files of a storage that is not configured are put off in bulk, and stand before nobody', async () => {
  const { elsewhereBatch, atOnce } = removalLimits;
  const elsewhere = await queue(elsewhereBatch + 2 * atOnce, 60_000, 'https://bucket.example/');
  const here = await queue(1, 1000);
  const due = () =>
    database().fileRemoval.count({
      where: { userId: elsewhere, nextAttemptAt: { lte: new Date() } },
    });
  let wakes = 0;
  const onDone = () => {
    wakes += 1;
  };
  const turns = createTurns([removalJob], { random: Math.random, isAlone: false, onDone });
  expect(await turns.take()).toEqual({ started: 1, isFull: false });
  await turns.settled();
  expect(await database().fileRemoval.count({ where: { userId: here } })).toBe(0);
  expect(await due()).toBe(atOnce + 1);
  await drain();
  expect(await due()).toBe(0);
  wakes = 0;
  await turns.take();
  expect(wakes).toBe(0);
  // None of it was tried.
  const tried = { userId: elsewhere, attemptCount: { gt: 0 } };
  expect(await database().fileRemoval.count({ where: tried })).toBe(0);
});

test('beside files of a storage that is not configured, those of the one that is go as they are due', async () => {
  const { atOnce } = removalLimits;
  const accountId = await queue(atOnce, 60_000, 'https://bucket.example/');
  const rows = Array.from({ length: 2 * atOnce }, () => {
    const key = `avatar/${accountId}/${randomUUID()}.png`;
    const nextAttemptAt = new Date(Date.now() - 1000);
    return { key, url: `${publicUrl}/files/${key}`, userId: accountId, nextAttemptAt };
  });
  await database().fileRemoval.createMany({ data: rows });
  await drain();
  const left = await database().fileRemoval.findMany({ where: { userId: accountId } });
  expect(left.filter(({ url }) => url.startsWith(publicUrl))).toEqual([]);
  expect(left).toHaveLength(atOnce);
});

test('a drain that is almost over begins no removal', async () => {
  const userId = await queue(1, 1000);
  await startDrain([removalJob], { deadlineAt: Date.now() + removalLimits.timeoutMs - 1 }).finished;
  expect(await database().fileRemoval.findMany({ where: { userId } })).toMatchObject([
    { attemptCount: 0 },
  ]);
  await drain();
});

test('removals that fail are told once a minute: a storage that is away fails every file', async () => {
  const accountId = await queue(3, 1000);
  const claimed = await claimRemovals({ limit: 3, start: randomUUID() });
  const told = jest.spyOn(log(), 'warn').mockImplementation(() => {});
  for (const one of claimed) {
    // What cannot be removed as a file.
    await mkdir(localPath(folder, one.key), { recursive: true });
    await removeFile(one, new AbortController().signal);
  }
  expect(told.mock.calls).toEqual([
    [
      expect.objectContaining({ key: claimed[0]?.key, attempts: 1, times: 1 }),
      'uploaded file not removed yet',
    ],
  ]);
  expect(await database().fileRemoval.count({ where: { userId: accountId } })).toBe(3);
  for (const { key } of claimed) await rmdir(localPath(folder, key));
});

test('a removal that has failed ever so often is tried again each day', async () => {
  const accountId = await queue(1, 1000);
  await database().fileRemoval.updateMany({
    where: { userId: accountId },
    data: { attemptCount: 6 },
  });
  for (const attempt_count of [7, 8]) {
    const now = new Date(Date.now() + attempt_count * 24 * 3_600_000);
    const claimed = await claimRemovals({ limit: 100, start: randomUUID(), now });
    expect(claimed.filter(({ user_id }) => user_id === accountId)).toMatchObject([
      { attempt_count },
    ]);
    const { nextAttemptAt } = await database().fileRemoval.findFirstOrThrow({
      where: { userId: accountId },
    });
    expect(nextAttemptAt).toEqual(new Date(now.getTime() + 24 * 3_600_000));
  }
});
