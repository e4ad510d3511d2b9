import { randomUUID } from 'node:crypto';
import { database } from '@/src/database/client';
import { provideEnv } from '@/src/env';
import { log } from '@/src/logging/log';
import { setMeter } from '@/src/metrics/meter';
import { createTenant, minimalTestimonial } from '../helpers/accounts';
import { drainAt } from '../helpers/drain';
import { hourMs } from '../helpers/durations';
import { meterBy } from '../helpers/meter';
import { withOwnDatabase } from '../helpers/own-database';
import { statementsOf } from '../helpers/statements';
import { closeServers } from '../outbound/servers';
import {
  createVideo,
  importVideos,
  jobsOf,
  next,
  stateOf,
  transcribed,
  withoutTranscript,
} from './queued';
import { type AudioAnswer, serveAfter, serveMedia, serveSpeechToText, serveVideo } from './servers';

jest.mock('@/src/transcription/extract', () => jest.requireActual('./extracted-once'));

withOwnDatabase();

afterEach(closeServers);

/** An imported video, waiting for its first try, and another to put in its place. */
async function importFirst() {
  const tenant = await createTenant();
  const [first, second] = [await serveVideo(), await serveVideo()];
  const service = await serveSpeechToText();
  const [id = ''] = await importVideos(tenant, first.url, 1);
  return { tenant, id, first, second, service };
}

describe('a testimonial', () => {
  test('that is deleted before its next try ends the job, and nothing is downloaded', async () => {
    const tenant = await createTenant();
    const media = await serveMedia((response) => response.writeHead(503).end());
    await serveSpeechToText();
    const id = await createVideo(tenant, media.url);
    await tenant.api.delete(`/testimonials/${id}`);
    expect(await drainAt(next())).toBe(0);
    expect([media.requests, await jobsOf(tenant)]).toEqual([1, []]);
  });

  test('that is deleted during a try gets no event and leaves no job', async () => {
    const tenant = await createTenant();
    const media = await serveVideo();
    const service = await serveSpeechToText();
    const [id] = await importVideos(tenant, media.url, 1);
    service.answer = async () => {
      await tenant.api.delete(`/testimonials/${id}`);
      return { body: { text: 'Too late.' } };
    };
    await drainAt();
    expect(await jobsOf(tenant)).toEqual([]);
    const types = (await tenant.events()).map(({ type }) => type);
    expect(types).toEqual(['testimonial.created', 'testimonial.deleted']);
  });

  test.each<[string, AudioAnswer]>([
    ['succeeds', { body: { text: 'Of the first.' } }],
    ['fails', { status: 400, body: 'bad file' }],
  ])('that gets another video during a try that %s has that one transcribed', async (_, early) => {
    const { tenant, id, first, second, service } = await importFirst();
    service.answer = async (_, index) => {
      if (index > 0) return { body: { text: `Of ${index}.` } };
      const data = { video_url: second.url };
      await database().testimonial.update({ where: { id }, data });
      return early;
    };
    await drainAt();
    expect([first.requests, second.requests]).toEqual([1, 1]);
    expect(await stateOf(tenant, id)).toEqual(transcribed('Of 1.'));
  });

  test.each<[string, (id: string, url: string) => Promise<unknown>]>([
    [
      'that gets another video',
      (id, video_url) => database().testimonial.update({ where: { id }, data: { video_url } }),
    ],
    [
      'that another process tries by now',
      () => database().transcriptionJob.updateMany({ data: { leaseToken: randomUUID() } }),
    ],
  ])('%s during a try that fails is not told to have no transcript', async (_, change) => {
    const { tenant, id, second, service } = await importFirst();
    service.answer = async (_, index) => {
      if (index > 0) return { body: { text: 'Of another try.' } };
      await change(id, second.url);
      return { status: 400, body: 'bad file' };
    };
    const warn = jest.spyOn(log(), 'warn').mockReturnValue();
    const counted = jest.fn();
    meterBy({ transcription: counted });
    await drainAt();
    setMeter(undefined);
    const reason =
      'another process has it or its transcript, or it was changed or deleted meanwhile';
    expect(warn.mock.calls).toEqual([
      [
        expect.objectContaining({ testimonialId: id, attempt: 1, reason }),
        'a try at a video came too late',
      ],
    ]);
    expect(counted).not.toHaveBeenCalledWith('failed');
    expect((await stateOf(tenant, id)).transcription).not.toBe('failed');
  });

  test('whose text was edited meanwhile keeps it beside the late transcript', async () => {
    const tenant = await createTenant();
    const media = await serveAfter((response) => response.writeHead(503).end());
    await serveSpeechToText();
    const [edited, moderated] = [
      await createVideo(tenant, media.url),
      ...(await importVideos(tenant, media.url, 1)),
    ];
    await tenant.api.patch(`/testimonials/${edited}`, { text_content: 'In her words.' });
    await tenant.api.patch(`/testimonials/${moderated}`, { status: 'approved' });
    await drainAt(next());
    const { body } = await tenant.api.get('/testimonials?sort_order=asc');
    expect(body.data).toMatchObject([
      { id: edited, ai_transcript: expect.any(String), text_content: 'In her words.' },
      { id: moderated, text_content: body.data[1].ai_transcript },
    ]);
    expect(body.data[1].ai_transcript).toMatch(/^Hello/);
  });

  test('whose video is taken away has failed', async () => {
    const tenant = await createTenant();
    await serveSpeechToText();
    const [id = ''] = await importVideos(tenant, 'https://files.example/v.mp4', 1);
    await database().testimonial.update({ where: { id }, data: { video_url: null } });
    await drainAt();
    expect(await stateOf(tenant, id)).toEqual(withoutTranscript('failed'));
  });
});

describe('nothing is to come', () => {
  test('of a text, and of a video without a link', async () => {
    const tenant = await createTenant();
    await serveSpeechToText();
    const { id: spaceId } = await tenant.space();
    const video_url = 'https://files.example/v.mp4';
    const text = await tenant.testimonial(spaceId, { video_url });
    const video = await tenant.testimonial(spaceId, { type: 'video' });
    expect(await stateOf(tenant, text.id)).toEqual(withoutTranscript('none'));
    expect(await stateOf(tenant, video.id)).toEqual(withoutTranscript('none'));
    expect(await jobsOf(tenant)).toEqual([]);
  });

  test('where no service is configured, also once one is', async () => {
    const tenant = await createTenant();
    const media = await serveVideo();
    const service = await serveSpeechToText();
    provideEnv({ OPENAI_API_KEY: '', OPENAI_BASE_URL: '' });
    const id = await createVideo(tenant, media.url);
    provideEnv({ OPENAI_BASE_URL: service.url });
    await drainAt(next());
    expect(await stateOf(tenant, id)).toEqual(withoutTranscript('none'));
    expect(media.requests).toBe(0);
  });

  test('for longer than a day, once the service is taken away', async () => {
    const tenant = await createTenant();
    await serveSpeechToText();
    const [id = ''] = await importVideos(tenant, 'https://files.example/v.mp4', 1);
    provideEnv({ OPENAI_API_KEY: '', OPENAI_BASE_URL: '' });
    await drainAt();
    expect(await stateOf(tenant, id)).toEqual(withoutTranscript('pending'));
    await drainAt(new Date(Date.now() + 25 * hourMs));
    expect(await stateOf(tenant, id)).toEqual(withoutTranscript('failed'));
  });
});

test('an import of many is transcribed after it, each once', async () => {
  const tenant = await createTenant();
  const media = await serveVideo();
  const service = await serveSpeechToText();
  const ids = await importVideos(tenant, media.url, 20);
  expect(await drainAt()).toBe(20);
  expect([media.requests, service.received.length]).toEqual([20, 20]);
  const { body } = await tenant.api.get('/testimonials?transcription=done');
  expect(body.pagination.total).toBe(ids.length);
  expect(await jobsOf(tenant)).toEqual([]);
});

test('a video is created in one statement, and its first try takes one more', async () => {
  const tenant = await createTenant();
  const { id: spaceId } = await tenant.space();
  const media = await serveVideo();
  await serveSpeechToText();
  const video = { ...minimalTestimonial(spaceId), type: 'video', video_url: media.url };
  const statements = await statementsOf(tenant.api.key, ['POST', '/testimonials', video]);
  expect(statements).toHaveLength(3);
});
