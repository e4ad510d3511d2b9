import type { ServerResponse } from 'node:http';
import { transcriptionLimits } from '@/src/transcription/limits';
import { createTenant } from '../helpers/accounts';
import { drainAt } from '../helpers/drain';
import { hourMs, minuteMs, secondMs } from '../helpers/durations';
import { withOwnDatabase } from '../helpers/own-database';
import { promised } from '../helpers/promised';
import { closeServers } from '../outbound/servers';
import { makeMedia, shortVideo } from './media';
import {
  createVideo,
  importVideos,
  jobsOf,
  next,
  stateOf,
  transcribed,
  withoutTranscript,
} from './queued';
import {
  type AudioAnswer,
  file,
  serveAfter,
  serveMedia,
  serveSpeechToText,
  serveVideo,
} from './servers';

jest.mock('@/src/transcription/extract', () => jest.requireActual('./extracted-once'));

// Whatever is due is tried, in whichever account.
withOwnDatabase();

let mp4: Buffer;

beforeAll(async () => {
  mp4 = await shortVideo();
});

afterEach(closeServers);

const busy = (retryAfter: string): AudioAnswer => ({
  status: 429,
  body: 'busy',
  headers: { 'retry-after': retryAfter },
});

describe('what may pass is tried again later', () => {
  test.each<[string, AudioAnswer]>([
    ['429', busy('60')],
    ['503 with Retry-After', { status: 503, body: '', headers: { 'retry-after': '60' } }],
    ['a key that is refused', { status: 401, body: 'bad key' }],
  ])('the speech-to-text service: %s', async (_, answer) => {
    const tenant = await createTenant();
    const media = await serveVideo();
    const service = await serveSpeechToText();
    service.answer = async () => answer;
    const id = await createVideo(tenant, media.url);
    expect(await stateOf(tenant, id)).toEqual(withoutTranscript('pending'));

    service.answer = async () => ({ body: { text: 'At last.', language: 'en' } });
    expect(await drainAt()).toBe(0);
    expect(await drainAt(next())).toBe(1);
    expect(await stateOf(tenant, id)).toEqual(transcribed('At last.', 'en'));
    expect(await jobsOf(tenant)).toEqual([]);
    const events = await tenant.events();
    expect(events.map(({ type, sequence }) => [type, sequence])).toEqual([
      ['testimonial.created', 1],
      ['testimonial.updated', 2],
    ]);
    expect(events[1]?.data).toMatchObject({ ...transcribed('At last.', 'en') });
  });

  test.each<[string, (response: ServerResponse) => void]>([
    ['408', (response) => response.writeHead(408).end()],
    ['429', (response) => response.writeHead(429).end()],
    ['502', (response) => response.writeHead(502).end()],
    ['a connection that breaks', (response) => response.destroy()],
    [
      'an answer that breaks off',
      (response) => {
        response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': mp4.length });
        response.write(mp4.subarray(0, mp4.length / 2), () => response.destroy());
      },
    ],
  ])('the link: %s', async (_, first) => {
    const tenant = await createTenant();
    const media = await serveAfter(first);
    await serveSpeechToText();
    const id = await createVideo(tenant, media.url);
    expect(await stateOf(tenant, id)).toEqual(withoutTranscript('pending'));
    await drainAt(next());
    expect(await stateOf(tenant, id)).toEqual(transcribed('Hello 0.'));
  });

  test('a download that takes too long', async () => {
    jest.replaceProperty(transcriptionLimits, 'downloadTimeoutMs', 200);
    const tenant = await createTenant();
    const media = await serveAfter(() => {});
    await serveSpeechToText();
    const id = await createVideo(tenant, media.url);
    jest.restoreAllMocks();
    expect(await stateOf(tenant, id)).toEqual(withoutTranscript('pending'));
    await drainAt(next());
    expect(await stateOf(tenant, id)).toEqual(transcribed('Hello 0.'));
  });

  test('no place among the requests in time', async () => {
    jest.replaceProperty(transcriptionLimits, 'waitingPerAccount', 0);
    const tenant = await createTenant();
    await serveSpeechToText();
    const held: ServerResponse[] = [];
    const { promise: isFull, resolve: full } = promised<void>();
    const media = await serveMedia((response) => {
      if (held.push(response) === 4) full();
    });
    const others = Array.from({ length: 4 }, () => createVideo(tenant, media.url));
    await isFull;
    jest.replaceProperty(transcriptionLimits, 'placeTimeoutMs', 100);
    const late = await serveVideo();
    const id = await createVideo(tenant, late.url);
    expect([late.requests, (await stateOf(tenant, id)).transcription]).toEqual([0, 'pending']);
    for (const response of held) file(mp4)(response);
    await Promise.all(others);
    await drainAt(next());
    expect((await stateOf(tenant, id)).transcription).toBe('done');
  });
});

describe('what does not pass has failed at once', () => {
  const page = Buffer.from('<!doctype html>');
  type Setting = {
    media?: () => Promise<Buffer>;
    type?: string;
    answer?: AudioAnswer;
    url?: string;
  };

  test.each<[string, Setting]>([
    ['a page', { media: async () => page, type: 'text/html' }],
    ['a link that no request may go to', { url: 'ftp://files.example/v.mp4' }],
    ['no audio track', { media: () => makeMedia({ format: 'mp4', videoFrameBytes: 100 }) }],
    ['no media file', { media: async () => Buffer.alloc(2000), type: 'video/mp4' }],
    ['silence', { answer: { body: { text: ' ' } } }],
    ['a file that the service refuses', { answer: { status: 400, body: 'bad file' } }],
  ])('%s', async (_, { media = async () => mp4, type, answer, url }) => {
    const tenant = await createTenant();
    const source = await serveMedia(file(await media(), type));
    const service = await serveSpeechToText();
    if (answer) service.answer = async () => answer;
    const id = await createVideo(tenant, url ?? source.url);
    expect(await stateOf(tenant, id)).toEqual(withoutTranscript('failed'));
    expect(await jobsOf(tenant)).toEqual([]);
    expect(await drainAt(next())).toBe(0);
  });

  test.each([403, 404, 410])('a link that answers %i', async (status) => {
    const tenant = await createTenant();
    const media = await serveMedia((response) => response.writeHead(status).end());
    await serveSpeechToText();
    const id = await createVideo(tenant, media.url);
    expect(await stateOf(tenant, id)).toEqual(withoutTranscript('failed'));
  });

  test('which testimonial.updated tells, and which changes nothing else of the row', async () => {
    const tenant = await createTenant();
    const media = await serveMedia((response) => response.writeHead(404).end());
    await serveSpeechToText();
    const id = await createVideo(tenant, media.url);
    const { body } = await tenant.api.get(`/testimonials/${id}`);
    expect(body.data.updated_at).toBe(body.data.created_at);
    const [created, updated] = await tenant.events();
    expect(created?.data).toEqual(body.data);
    const more = { transcription: 'failed', language: null, previous_status: 'pending' };
    expect(updated).toMatchObject({ type: 'testimonial.updated', sequence: 2 });
    expect(updated?.data).toEqual({ ...body.data, ...more });
  });

  test('also when it is found out later', async () => {
    const tenant = await createTenant();
    const media = await serveMedia((response) =>
      response.writeHead(media.requests === 1 ? 500 : 404).end(),
    );
    await serveSpeechToText();
    const id = await createVideo(tenant, media.url);
    await drainAt(next());
    expect(await stateOf(tenant, id)).toEqual(withoutTranscript('failed'));
  });
});

describe('when', () => {
  test.each([
    ['30', 60],
    ['90', 90],
    ['3600', 120],
  ])('Retry-After %s is honoured within one to two times the step', async (retryAfter, seconds) => {
    const tenant = await createTenant();
    const media = await serveVideo();
    const service = await serveSpeechToText();
    service.answer = async () => busy(retryAfter);
    const before = Date.now();
    await createVideo(tenant, media.url);
    const after = Date.now();
    const [job] = await jobsOf(tenant);
    const nextAt = Number(job?.nextAttemptAt);
    // The database rounds to what its clock has.
    expect(nextAt).toBeGreaterThanOrEqual(before + seconds * secondMs - 1);
    expect(nextAt).toBeLessThanOrEqual(after + seconds * secondMs + 1);
  });

  test('in growing steps, for a day; then it has failed', async () => {
    const tenant = await createTenant();
    const media = await serveMedia((response) => response.writeHead(503).end());
    await serveSpeechToText();
    const [id = ''] = await importVideos(tenant, media.url, 1);
    await drainAt();
    const delays: number[] = [];
    const [made] = await jobsOf(tenant);
    let at = new Date();
    for (let [job] = await jobsOf(tenant); job; [job] = await jobsOf(tenant)) {
      delays.push(Math.round((Number(job.nextAttemptAt) - Number(at)) / minuteMs));
      // It has microseconds.
      at = new Date(Number(job.nextAttemptAt) + 1);
      expect(await drainAt(at)).toBe(1);
    }
    // Drained without jitter.
    expect(delays).toEqual([1, 5, 15, 30, 60, 120, 240, 240, 240, 240, 240]);
    expect(media.requests).toBe(delays.length + 1);
    expect(Number(at) - Number(made?.createdAt)).toBeLessThan(24 * hourMs);
    expect(await stateOf(tenant, id)).toEqual(withoutTranscript('failed'));
    expect(await drainAt(new Date(Number(at) + 48 * hourMs))).toBe(0);
  });

  test('a video that has not been tried has its try after more than a day too', async () => {
    const tenant = await createTenant();
    const media = await serveVideo();
    await serveSpeechToText();
    const [id = ''] = await importVideos(tenant, media.url, 1);
    await drainAt(new Date(Date.now() + 30 * hourMs));
    expect(await stateOf(tenant, id)).toEqual(transcribed('Hello 0.'));
  });
});
