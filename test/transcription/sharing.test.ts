import { randomUUID } from 'node:crypto';
import { startDrain } from '@/src/background/drain';
import { startLoop } from '@/src/background/loop';
import { database } from '@/src/database/client';
import { promptJobs } from '@/src/jobs';
import { transcriptionEnds, transcriptionJob } from '@/src/testimonials/transcripts';
import { makeFirstTry } from '@/src/transcription/first-try';
import { transcriptionLimits } from '@/src/transcription/limits';
import { claimTranscriptions } from '@/src/transcription/queue';
import { createTenant } from '../helpers/accounts';
import { drainAt } from '../helpers/drain';
import { later, secondMs } from '../helpers/durations';
import { withOwnDatabase } from '../helpers/own-database';
import { closeServers } from '../outbound/servers';
import { createVideo, importVideos, jobsOf, stateOf, transcribed } from './queued';
import { serveHeld, serveMedia, serveSpeechToText, serveVideo } from './servers';

jest.mock('@/src/transcription/extract', () => jest.requireActual('./extracted-once'));

withOwnDatabase();

const noLink = 'https://files.example/v.mp4';
const { laterTriesAtOnce, leaseMs } = transcriptionLimits;

afterEach(closeServers);

/** What a process would take that has all its places free, or so much under way. */
async function claim(free = laterTriesAtOnce, underWay = new Map<string, number>()) {
  const ids = { token: randomUUID(), start: randomUUID() };
  const { claimed, mayHaveMore } = await claimTranscriptions({ free, underWay, ...ids });
  return { accounts: claimed.map(({ accountId }) => accountId).sort(), mayHaveMore };
}

/** The try of a request, under way: its video is being downloaded, and its lease has run out. */
async function beginFirstTry() {
  const tenant = await createTenant();
  const { media, reached, letGo } = await serveHeld();
  await serveSpeechToText();
  const [id = ''] = await importVideos(tenant, media.url, 1);
  const token = randomUUID();
  await database().transcriptionJob.updateMany({ data: { leaseToken: token } });
  const row = await database().testimonial.findUniqueOrThrow({ where: { id } });
  const tried = makeFirstTry(row, token, transcriptionEnds);
  await reached(1);
  return { tenant, id, media, letGo, tried };
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
    const direct = await serveVideo();
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
    // It has run out, and is renewed before anybody looks.
    const { tenant, id, media, letGo, tried } = await beginFirstTry();
    let [job] = await jobsOf(tenant);
    while (job && job.nextAttemptAt < later(leaseMs / 2)) [job] = await jobsOf(tenant);
    expect(await drainAt()).toBe(0);
    letGo();
    await tried;
    expect(media.requests).toBe(1);
    expect(await stateOf(tenant, id)).toEqual(transcribed('Hello 0.'));
  });

  test('of a request is not taken by its own process, though it has run out', async () => {
    // As where its row was locked for longer than the lease, and could not be renewed.
    jest.replaceProperty(transcriptionLimits, 'renewLeasesEveryMs', 60_000);
    const { media, letGo, tried } = await beginFirstTry();
    const context = { random: Math.random, isAlone: false, onDone: () => {} };
    const laterTries = transcriptionJob.begin(context);
    const begun = await laterTries.start();
    letGo();
    await Promise.all([tried, laterTries.settled()]);
    expect(begun).toMatchObject({ started: 0 });
    expect(media.requests).toBe(1);
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
    const media = await serveVideo();
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
  const media = await serveVideo();
  await serveSpeechToText();
  for (const tenant of tenants) await importVideos(tenant, media.url, 5);
  const counts = await Promise.all([drainAt(), drainAt()]);
  expect(counts.reduce((sum, count) => sum + count)).toBe(15);
  expect(media.requests).toBe(15);
});
