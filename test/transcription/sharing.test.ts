import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { startDrain } from '@/src/background/drain';
import { startLoop } from '@/src/background/loop';
import { database } from '@/src/database/client';
import { env } from '@/src/env';
import { promptJobs } from '@/src/jobs';
import { transcriptionEnds, transcriptionJob } from '@/src/testimonials/transcripts';
import { makeFirstTry } from '@/src/transcription/first-try';
import { transcriptionLimits } from '@/src/transcription/limits';
import { claimTranscriptions } from '@/src/transcription/queue';
import { type ScriptProcess, startScript } from '../database/processes';
import { createTenant, minimalTestimonial } from '../helpers/accounts';
import { closeServers } from '../outbound/servers';
import { withOwnDatabase } from '../webhooks/own-database';
import { drainAt, minuteMs, secondMs } from '../webhooks/sending';
import { makeShortVideo } from './media';
import { createVideo, importVideos, jobsOf, stateOf, transcribed } from './queued';
import { file, serveMedia, serveSpeechToText } from './servers';

withOwnDatabase();

// An embedded database is one process's.
const onServer = process.env.TEST_DATABASE_URL ? test : test.skip;

const noLink = 'https://files.example/v.mp4';
const { laterTriesAtOnce, leaseMs } = transcriptionLimits;

let mp4: Buffer;

beforeAll(async () => {
  mp4 = await makeShortVideo();
});

afterEach(closeServers);

/** Videos that are sent once they are let go; `reached(n)` resolves when so many are asked for. */
async function serveHeld() {
  let held: ServerResponse[] | undefined = [];
  let look = () => {};
  const media = await serveMedia((response) => {
    if (held) held.push(response);
    else file(mp4)(response);
    look();
  });
  return {
    media,
    reached: (wanted: number) =>
      new Promise<void>((done) => {
        look = () => {
          if (media.requests >= wanted) done();
        };
        look();
      }),
    letGo() {
      const all = held ?? [];
      held = undefined;
      for (const response of all) file(mp4)(response);
    },
  };
}

const later = (ms: number) => new Date(Date.now() + ms);

/** What a process would take that has all its places free, or so much under way. */
async function claim(free = laterTriesAtOnce, underWay = new Map<string, number>()) {
  const ids = { token: randomUUID(), start: randomUUID() };
  const { claimed, mayHaveMore } = await claimTranscriptions({ free, underWay, ...ids });
  return { accounts: claimed.map(({ accountId }) => accountId).sort(), mayHaveMore };
}

describe('places are shared by accounts', () => {
  test('one alone takes half of them, the oldest first', async () => {
    const tenant = await createTenant();
    const ids = [
      ...(await importVideos(tenant, noLink, 1)),
      ...(await importVideos(tenant, noLink, 1)),
      ...(await importVideos(tenant, noLink, 9)),
    ];
    const { accounts, mayHaveMore } = await claim();
    expect([accounts.length, mayHaveMore]).toEqual([2, true]);
    const leased = await database().transcriptionJob.findMany({
      where: { leaseToken: { not: null } },
    });
    expect(leased.map(({ testimonialId }) => testimonialId).sort()).toEqual(ids.slice(0, 2).sort());
  });

  test('one with a single video is not kept waiting by one with a hundred', async () => {
    const [many, one] = [await createTenant(), await createTenant()];
    await importVideos(many, noLink, 100);
    await importVideos(one, noLink, 1);
    const { accounts } = await claim();
    expect(accounts.filter((id) => id === one.accountId)).toHaveLength(1);
    expect(accounts.filter((id) => id === many.accountId)).toHaveLength(2);
  });

  test('what an account has under way counts, and others are found behind it', async () => {
    const tenants = await Promise.all(Array.from({ length: 6 }, () => createTenant()));
    const [busy] = tenants;
    for (const tenant of tenants) await importVideos(tenant, noLink, 3);
    for (const free of [1, 2]) {
      const { accounts } = await claim(free, new Map([[busy?.accountId ?? '', 2]]));
      expect(accounts).not.toContain(busy?.accountId);
      expect(accounts).toHaveLength(free);
    }
  });

  test('no more are tried at once than there are places, and all in the end', async () => {
    const tenants = await Promise.all(Array.from({ length: 5 }, () => createTenant()));
    const { media, reached, letGo } = await serveHeld();
    await serveSpeechToText();
    for (const tenant of tenants) await importVideos(tenant, media.url, 2);
    const drained = drainAt();
    await reached(3);
    const leased = await database().transcriptionJob.count({
      where: { leaseToken: { not: null } },
    });
    expect(leased).toBeLessThanOrEqual(laterTriesAtOnce);
    letGo();
    expect(await drained).toBe(10);
  });

  test('a request finds its place while later tries hold all of theirs', async () => {
    const tenants = await Promise.all(Array.from({ length: 4 }, () => createTenant()));
    const { media, reached, letGo } = await serveHeld();
    await serveSpeechToText();
    for (const tenant of tenants) await importVideos(tenant, media.url, 2);
    const drained = drainAt();
    await reached(3);
    // Without waiting: no account's own tries stand in its way either.
    jest.replaceProperty(transcriptionLimits, 'placeTimeoutMs', 1);
    const direct = await serveMedia(file(mp4));
    for (const tenant of tenants) {
      const id = await createVideo(tenant, direct.url);
      expect((await stateOf(tenant, id)).transcription).toBe('done');
    }
    letGo();
    await drained;
  });
});

describe('a lease', () => {
  test('keeps what a request is at from the background for as long as it is renewed', async () => {
    jest.replaceProperty(transcriptionLimits, 'renewLeasesEveryMs', 20);
    const tenant = await createTenant();
    const { media, reached, letGo } = await serveHeld();
    await serveSpeechToText();
    const [id = ''] = await importVideos(tenant, media.url, 1);
    const token = randomUUID();
    await database().transcriptionJob.updateMany({ data: { leaseToken: token } });
    const row = await database().testimonial.findUniqueOrThrow({ where: { id } });
    // It has run out, and is renewed before anybody looks.
    const tried = makeFirstTry(row, token, transcriptionEnds);
    await reached(1);
    let [job] = await jobsOf(tenant);
    while (job && job.nextAttemptAt < later(leaseMs / 2)) [job] = await jobsOf(tenant);
    expect(await drainAt()).toBe(0);
    letGo();
    await tried;
    expect(media.requests).toBe(1);
    expect(await stateOf(tenant, id)).toEqual(transcribed('Hello 0.'));
  });

  test('that somebody else has taken lets a late failure change nothing', async () => {
    const tenant = await createTenant();
    const media = await serveMedia((response) => response.writeHead(503).end());
    await serveSpeechToText();
    const [id = ''] = await importVideos(tenant, media.url, 1);
    await claim();
    const row = await database().testimonial.findUniqueOrThrow({ where: { id } });
    const before = await jobsOf(tenant);
    jest.replaceProperty(transcriptionLimits, 'renewLeasesEveryMs', 60_000);
    await makeFirstTry(row, randomUUID(), transcriptionEnds);
    expect(await jobsOf(tenant)).toEqual(before);
    expect((await stateOf(tenant, id)).transcription).toBe('pending');
  });

  test('of two that finish the same video, the first one counts', async () => {
    const tenant = await createTenant();
    const media = await serveMedia(file(mp4));
    await serveSpeechToText();
    const [id = ''] = await importVideos(tenant, media.url, 1);
    const row = await database().testimonial.findUniqueOrThrow({ where: { id } });
    await Promise.all([1, 2].map(() => makeFirstTry(row, randomUUID(), transcriptionEnds)));
    expect(media.requests).toBe(2);
    const types = (await tenant.events()).map(({ type }) => type);
    expect(types).toEqual(['testimonial.created', 'testimonial.updated']);
    expect(await jobsOf(tenant)).toEqual([]);
  });
});

test('a process that stops gives back what it tries, and the try does not count', async () => {
  const tenant = await createTenant();
  const { media, reached } = await serveHeld();
  await serveSpeechToText();
  await importVideos(tenant, media.url, 1);
  const loop = startLoop([transcriptionJob], { isAlone: false });
  await reached(1);
  await loop.stop({ graceMs: 0 });
  const [job] = await jobsOf(tenant);
  expect(job).toMatchObject({ attemptCount: 0, leaseToken: null });
  expect(Number(job?.nextAttemptAt)).toBeLessThanOrEqual(Date.now() + secondMs);
});

test('a drain that has too little time left begins no try', async () => {
  const tenant = await createTenant();
  await serveSpeechToText();
  await importVideos(tenant, noLink, 1);
  const { started } = await startDrain(promptJobs, { deadlineAt: Date.now() + 10_000 }).finished;
  expect(started).toBe(0);
  expect(await jobsOf(tenant)).toMatchObject([{ attemptCount: 0 }]);
});

test('two drains at once try each video once', async () => {
  const tenants = await Promise.all(Array.from({ length: 3 }, () => createTenant()));
  const media = await serveMedia(file(mp4));
  await serveSpeechToText();
  for (const tenant of tenants) await importVideos(tenant, media.url, 5);
  const counts = await Promise.all([drainAt(), drainAt()]);
  expect(counts.reduce((sum, count) => sum + count)).toBe(15);
  expect(media.requests).toBe(15);
});

/** What a process of its own needs to transcribe as this one does. */
const environment = () => {
  const { OPENAI_API_KEY, OPENAI_BASE_URL, DATABASE_URL = '', SECRET_KEY = '' } = env();
  const more = { OPENAI_API_KEY, OPENAI_BASE_URL, ALLOW_PRIVATE_NETWORK: 'true' };
  return [DATABASE_URL, SECRET_KEY, JSON.stringify(more)] as const;
};

describe('kill -9', () => {
  const processes: ScriptProcess[] = [];
  const start = (script: string) => {
    const one = startScript(script, ...environment());
    processes.push(one);
    return one;
  };
  afterEach(() => Promise.all(processes.splice(0).map((one) => one.kill())));

  onServer(
    'in a request that transcribes: the video is tried by another once the lease has run out',
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
    minuteMs,
  );

  onServer(
    'of one of two processes that work at once: all are transcribed, none saved twice',
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

  test('after each of a few tries makes the next one wait as after a failure', async () => {
    const tenant = await createTenant();
    const media = await serveMedia(file(mp4));
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
});
