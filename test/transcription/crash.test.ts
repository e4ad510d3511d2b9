import { randomUUID } from 'node:crypto';
import { database } from '@/src/database/client';
import { env } from '@/src/env';
import { transcriptionLimits } from '@/src/transcription/limits';
import { type ScriptProcess, startScript } from '../database/processes';
import { createTenant, minimalTestimonial } from '../helpers/accounts';
import { drainAt } from '../helpers/drain';
import { later, minuteMs, secondMs } from '../helpers/durations';
import { onServer } from '../helpers/locks';
import { withOwnDatabase } from '../helpers/own-database';
import { closeServers } from '../outbound/servers';
import { importVideos, jobsOf, stateOf, transcribed } from './queued';
import { serveHeld, serveSpeechToText, serveVideo } from './servers';

withOwnDatabase();

const { laterTriesAtOnce, leaseMs } = transcriptionLimits;

afterEach(closeServers);

/** What a process of its own needs to transcribe as this one does. */
const environment = () => {
  const { OPENAI_API_KEY, OPENAI_BASE_URL, DATABASE_URL = '', SECRET_KEY = '' } = env();
  const more = { OPENAI_API_KEY, OPENAI_BASE_URL, ALLOW_PRIVATE_NETWORK: 'true' };
  return [DATABASE_URL, SECRET_KEY, JSON.stringify(more)] as const;
};

const processes: ScriptProcess[] = [];
const start = (script: string) => {
  const one = startScript(script, ...environment());
  processes.push(one);
  return one;
};
afterEach(() => Promise.all(processes.splice(0).map((one) => one.kill())));

onServer(
  'kill -9 in a request that transcribes: the video is tried by another once the lease has run out',
  async () => {
    const tenant = await createTenant();
    const { media, reached, letGo } = await serveHeld();
    await serveSpeechToText();
    const { id: spaceId } = await tenant.space();
    const service = start('../rest/serving-process.ts');
    const answer = fetch(`http://127.0.0.1:${await service.nextLine()}/api/v1/testimonials`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tenant.api.key}` },
      body: JSON.stringify({
        ...minimalTestimonial(spaceId),
        type: 'video',
        video_url: media.url,
      }),
    }).catch(() => undefined);
    await reached(1);
    await service.kill();
    expect(await answer).toBeUndefined();
    letGo();

    const { body } = await tenant.api.get('/testimonials?include=transcription');
    expect(body.data).toMatchObject([{ transcription: 'pending' }]);
    expect(await drainAt()).toBe(0);
    expect(await drainAt(later(leaseMs + secondMs))).toBe(1);
    const { id } = body.data[0];
    expect(await stateOf(tenant, id)).toEqual(transcribed('Hello 0.'));
    const types = (await tenant.events()).map(({ type }) => type);
    expect(types).toEqual(['testimonial.created', 'testimonial.updated']);
  },
);

onServer(
  'kill -9 of one of two processes that work at once: all are transcribed, none saved twice',
  async () => {
    const tenants = await Promise.all(Array.from({ length: 4 }, () => createTenant()));
    const { media, reached, letGo } = await serveHeld();
    await serveSpeechToText();
    for (const tenant of tenants) await importVideos(tenant, media.url, 5);
    const [first, second] = ['one', 'two'].map(() => start('../webhooks/draining-process.ts'));
    await Promise.all([first?.nextLine(), second?.nextLine()]);
    // More than one of them has places for.
    await reached(laterTriesAtOnce + 1);
    await first?.kill();
    letGo();
    // What the dead one had is due when its lease has run out, by the database's clock.
    while ((await database().transcriptionJob.count()) > 0) {
      await new Promise((done) => setTimeout(done, 100));
    }
    for (const tenant of tenants) {
      const { body } = await tenant.api.get('/testimonials?transcription=done');
      expect(body.pagination.total).toBe(5);
      expect(await tenant.events()).toHaveLength(10);
    }
  },
  2 * minuteMs,
);

test('kill -9 after each of a few tries makes the next one wait as after a failure', async () => {
  const tenant = await createTenant();
  const media = await serveVideo();
  await serveSpeechToText();
  await importVideos(tenant, media.url, 1);
  // Died three times at it.
  await database().transcriptionJob.updateMany({
    data: { attemptCount: 3, leaseToken: randomUUID() },
  });
  await drainAt();
  const [job] = await jobsOf(tenant);
  expect(media.requests).toBe(0);
  expect(job?.leaseToken).toBeNull();
  expect(Number(job?.nextAttemptAt) - Date.now()).toBeGreaterThan(20 * minuteMs);
  await drainAt(job && new Date(Number(job.nextAttemptAt) + 1));
  expect(media.requests).toBe(1);
});
