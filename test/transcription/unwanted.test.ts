import { randomUUID } from 'node:crypto';
import { createTurns } from '@/src/background/turn';
import { database } from '@/src/database/client';
import { transcriptionJob } from '@/src/testimonials/transcripts';
import { transcriptionLimits } from '@/src/transcription/limits';
import { claimTranscriptions, endUnwanted } from '@/src/transcription/queue';
import { createTenant } from '../helpers/accounts';
import { drainAt } from '../helpers/drain';
import { withOwnDatabase } from '../helpers/own-database';
import { closeServers } from '../outbound/servers';
import { importVideos, jobsOf } from './queued';
import { serveSpeechToText, serveVideo } from './servers';

withOwnDatabase();

afterEach(closeServers);

const noLink = 'https://files.example/v.mp4';

test('what is left of deleted testimonials stands before nobody', async () => {
  const [gone, tenant] = [await createTenant(), await createTenant()];
  await importVideos(gone, noLink, 20);
  await database().user.delete({ where: { id: gone.accountId } });
  const media = await serveVideo();
  await serveSpeechToText();
  await importVideos(tenant, media.url, 1);
  expect(await drainAt()).toBe(1);
  expect(await drainAt()).toBe(0);
  expect(await database().transcriptionJob.count()).toBe(0);
});

test('what is left of a large deletion goes in bulk, and other jobs have their turns between', async () => {
  const many = 2 * transcriptionLimits.endedAtOnce + 1;
  await database().$executeRaw`
    INSERT INTO transcription_jobs (testimonial_id, user_id, next_attempt_at, text_hash)
    SELECT gen_random_uuid(), ${randomUUID()}::uuid, now(), 0 FROM generate_series(1, ${many}::int)`;
  await serveSpeechToText();
  let wakes = 0;
  const onDone = () => {
    wakes += 1;
  };
  const turns = createTurns([transcriptionJob], { random: Math.random, isAlone: false, onDone });
  const left = [];
  for (let turn = 1; turn <= 3; turn += 1) {
    await turns.take();
    left.push(await database().transcriptionJob.count());
    expect(wakes).toBe(turn);
  }
  expect(left).toEqual([transcriptionLimits.endedAtOnce + 1, 1, 0]);
  await turns.take();
  expect(wakes).toBe(3);
});

test('a job that was found to wait for nothing stays where it waits again by then', async () => {
  const tenant = await createTenant();
  await importVideos(tenant, noLink, 1);
  await database().testimonial.updateMany({ data: { transcription: 'none' } });
  const { unwantedOf } = await claimTranscriptions({
    free: 1,
    underWay: new Map(),
    token: randomUUID(),
    start: randomUUID(),
  });
  expect(unwantedOf).toEqual([tenant.accountId]);
  await database().testimonial.updateMany({ data: { transcription: 'pending' } });
  await endUnwanted(unwantedOf);
  expect(await jobsOf(tenant)).toHaveLength(1);
});
