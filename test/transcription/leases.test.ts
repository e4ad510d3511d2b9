import { randomUUID } from 'node:crypto';
import { database } from '@/src/database/client';
import { createTranscriptionLeases } from '@/src/transcription/leases';
import { transcriptionLimits } from '@/src/transcription/limits';
import { claimTranscriptions, putOff, type TranscriptionJob } from '@/src/transcription/queue';
import { createTenant } from '../helpers/accounts';
import { withOwnDatabase } from '../helpers/own-database';
import { importVideos } from './queued';

withOwnDatabase();

test('a process renews the leases that it has, and none that is another’s by now', async () => {
  const tenant = await createTenant();
  await importVideos(tenant, 'https://files.example/v.mp4', 2);
  const ids = { token: randomUUID(), start: randomUUID() };
  const { claimed } = await claimTranscriptions({ free: 4, underWay: new Map(), ...ids });
  const [own, lost] = claimed;
  if (!own || !lost) throw new Error('Not both were claimed');
  const jobOf = ({ testimonialId }: typeof own) =>
    database().transcriptionJob.findUniqueOrThrow({ where: { testimonialId } });
  await database().transcriptionJob.update({
    where: { testimonialId: lost.testimonialId },
    data: { leaseToken: randomUUID() },
  });
  const before = [await jobOf(own), await jobOf(lost)];
  jest.replaceProperty(transcriptionLimits, 'renewLeasesEveryMs', 20);
  const leases = createTranscriptionLeases(new Date(Date.now() + 60_000));
  for (const job of claimed) leases.hold(job);
  let renewed = await jobOf(own);
  while (Number(renewed.nextAttemptAt) === Number(before[0]?.nextAttemptAt)) {
    renewed = await jobOf(own);
  }
  for (const job of claimed) leases.release(job);
  expect(renewed.nextAttemptAt.getTime()).toBeGreaterThan(Date.now());
  expect(await jobOf(lost)).toEqual(before[1]);
});

test('what a process still tries it does not take again, though the lease has run out', async () => {
  const tenant = await createTenant();
  await importVideos(tenant, 'https://files.example/v.mp4', 1);
  const later = new Date(Date.now() + transcriptionLimits.leaseMs + 1_000);
  const claim = async (now?: Date, held: TranscriptionJob[] = []) => {
    const ids = { token: randomUUID(), start: randomUUID() };
    const options = { free: 4, underWay: new Map(), held, now, ...ids };
    return (await claimTranscriptions(options)).claimed;
  };
  const held = await claim();
  expect(held).toHaveLength(1);
  expect(await claim(later, held)).toEqual([]);
  expect(await claim(later)).toMatchObject([{ attempts: 2, wasInterrupted: true }]);
});

test('a video is tried for a day, also where the clock was ahead as it was left to be tried', async () => {
  const tenant = await createTenant();
  await importVideos(tenant, 'https://files.example/v.mp4', 1);
  const dayMs = 86_400_000;
  await database().$executeRaw`
    UPDATE transcription_jobs SET created_at = ${new Date(Date.now() + 30 * dayMs)}`;
  const ids = { token: randomUUID(), start: randomUUID() };
  const claim = async (now?: Date) => {
    const { claimed } = await claimTranscriptions({ free: 1, underWay: new Map(), now, ...ids });
    if (!claimed[0]) throw new Error('Nothing was claimed');
    return claimed[0];
  };
  expect(await putOff(await claim(), 0)).toBe(true);
  const later = new Date(Date.now() + dayMs);
  expect(await putOff(await claim(later), 60_000, later)).toBe(false);
});
