import { randomUUID } from 'node:crypto';
import { readdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { database } from '@/src/database/client';
import { provideEnv } from '@/src/env';
import { temporaryFolderPrefix, withTemporaryFolder } from '@/src/file-system/temporary-folder';
import { log } from '@/src/logging/log';
import { handleNodeRequest } from '@/src/rest/node';
import { createTenant, minimalTestimonial, type Tenant } from '../helpers/accounts';
import { send } from '../helpers/client';
import { closeServers, serve } from '../outbound/servers';
import { decodedSeconds, hasFfmpeg } from './ffmpeg';
import { makeMedia, readAudio } from './media';
import { type AudioRequest, file, serveMedia, serveSpeechToText } from './servers';

let mp4: Buffer;

beforeAll(async () => {
  mp4 = await makeMedia({ format: 'mp4', audio: 'aac', seconds: 3, videoFrameBytes: 1000 });
});

afterEach(async () => {
  await closeServers();
  const left = await readdir(tmpdir());
  expect(left.filter((name) => name.startsWith(temporaryFolderPrefix))).toEqual([]);
});

/** What the log says of videos during the test. */
function watchLog() {
  const lines: Record<string, unknown>[] = [];
  const keep = (line: unknown) => {
    lines.push({ ...Object(line) });
  };
  jest.spyOn(log(), 'warn').mockImplementation(keep);
  jest.spyOn(log(), 'error').mockImplementation(keep);
  return lines;
}

/** The file that the service was sent. */
async function bytesOf(request: AudioRequest | undefined): Promise<Buffer<ArrayBuffer>> {
  return Buffer.from((await request?.file.arrayBuffer()) ?? new ArrayBuffer(0));
}

/** Creates a video testimonial of the link; gives back the answer, and the row afterwards. */
async function createVideo(tenant: Tenant, url: string, fields: Record<string, unknown> = {}) {
  const { id: spaceId } = await tenant.space();
  const answer = await tenant.api.post('/testimonials', {
    ...minimalTestimonial(spaceId),
    type: 'video',
    video_url: url,
    text_content: 'As sent.',
    ...fields,
  });
  expect(answer.status).toBe(201);
  const { body } = await tenant.api.get(`/testimonials/${answer.body.data.id}`);
  return { inserted: answer.body.data, row: body.data };
}

describe('a video whose link leads straight to a file', () => {
  test('is transcribed within the request; the answer is the row as inserted', async () => {
    const tenant = await createTenant();
    const media = await serveMedia(file(mp4));
    const service = await serveSpeechToText();
    service.answer = async () => ({ body: { text: ' We love it.\n', language: 'english' } });
    const { inserted, row } = await createVideo(tenant, `${media.url}/video.mp4`);

    expect(inserted).toMatchObject({ ai_transcript: null, text_content: 'As sent.' });
    expect(inserted.updated_at).toBe(inserted.created_at);
    expect(row).toEqual({
      ...inserted,
      ai_transcript: 'We love it.',
      text_content: 'We love it.',
      updated_at: expect.any(String),
    });
    expect(row.updated_at > inserted.updated_at).toBe(true);
    expect(media.requests).toBe(1);
    const events = await tenant.events();
    expect(events.map(({ type, data }) => [type, data])).toEqual([
      ['testimonial.created', inserted],
      [
        'testimonial.updated',
        { ...row, transcription: 'done', language: 'english', previous_status: 'pending' },
      ],
    ]);
  });

  test('is transcribed within a request with an idempotency key too', async () => {
    const { api, space } = await createTenant();
    const media = await serveMedia(file(mp4));
    await serveSpeechToText();
    const { id } = await space();
    const answer = await send('POST', '/testimonials', {
      key: api.key,
      headers: { 'idempotency-key': randomUUID() },
      json: { ...minimalTestimonial(id), type: 'video', video_url: media.url },
    });
    expect(answer.body.data.ai_transcript).toBeNull();
    const { body } = await api.get(`/testimonials/${answer.body.data.id}`);
    expect(body.data.ai_transcript).toBe('Hello 0.');
  });

  test('what the service is sent is its audio alone, decodable and of its length', async () => {
    const tenant = await createTenant();
    const media = await serveMedia(file(mp4));
    const service = await serveSpeechToText();
    await createVideo(tenant, media.url);
    expect(service.received).toHaveLength(1);
    const sent = await bytesOf(service.received[0]);
    expect(sent.length).toBeLessThan(mp4.length / 2);
    const [audio, original] = await Promise.all([readAudio(sent), readAudio(Buffer.from(mp4))]);
    expect(audio).toEqual({ ...original, durationSeconds: expect.closeTo(3, 1), tracks: 1 });
    if (hasFfmpeg) {
      const seconds = await withTemporaryFolder(async (folder) => {
        await writeFile(join(folder, 'sent'), sent);
        return decodedSeconds(join(folder, 'sent'));
      });
      expect(seconds).toBeCloseTo(3, 0);
    }
  });

  test('row and event are committed before the download begins', async () => {
    const tenant = await createTenant();
    const seen: unknown[] = [];
    const media = await serveMedia(async (response) => {
      const [rows, events] = await Promise.all([
        database().testimonial.count({ where: { user_id: tenant.accountId } }),
        tenant.events(),
      ]);
      seen.push(rows, events.length);
      file(mp4)(response);
    });
    await serveSpeechToText();
    await createVideo(tenant, media.url);
    expect(seen).toEqual([1, 1]);
  });

  test('a client that leaves does not lose the transcript', async () => {
    const tenant = await createTenant();
    const { id: spaceId } = await tenant.space();
    const client = new AbortController();
    const media = await serveMedia((response) => {
      client.abort();
      setTimeout(() => file(mp4)(response), 50);
    });
    await serveSpeechToText();
    const answered: Promise<void>[] = [];
    const front = createServer((request, response) => {
      answered.push(handleNodeRequest(request, response, () => {}));
    });
    const address = `http://127.0.0.1:${await serve(front)}/api/v1/testimonials`;
    const sent = fetch(address, {
      method: 'POST',
      headers: { authorization: `Bearer ${tenant.api.key}` },
      body: JSON.stringify({
        ...minimalTestimonial(spaceId),
        type: 'video',
        video_url: media.url,
      }),
      signal: client.signal,
    });
    await expect(sent).rejects.toMatchObject({ name: 'AbortError' });
    await Promise.all(answered);
    const { body } = await tenant.api.get('/testimonials');
    expect(body.data).toMatchObject([{ ai_transcript: 'Hello 0.', text_content: 'Hello 0.' }]);
  });

  test('a transcript that Postgres cannot hold as it is, is saved without what it cannot', async () => {
    const tenant = await createTenant();
    const media = await serveMedia(file(mp4));
    const service = await serveSpeechToText();
    service.answer = async () => ({ body: '{"text":"a\\u0000b \\ud800 c"}' });
    const { row } = await createVideo(tenant, media.url);
    expect(row.ai_transcript).toBe('ab \ufffd c');
  });

  test('a container that is not demuxed goes to the service as it is', async () => {
    const tenant = await createTenant();
    const flv = Buffer.concat([Buffer.from('FLV\x01\x05', 'latin1'), Buffer.alloc(2000, 'tag')]);
    const media = await serveMedia(file(flv, 'video/x-flv'));
    const service = await serveSpeechToText();
    const { row } = await createVideo(tenant, media.url);
    const [request] = service.received;
    expect(request?.file.name).toBe('media.flv');
    expect((await bytesOf(request)).equals(flv)).toBe(true);
    expect(row.ai_transcript).toBe('Hello 0.');
  });
});

describe('nothing is downloaded', () => {
  test('for a text testimonial, and for a video without a link', async () => {
    const tenant = await createTenant();
    const media = await serveMedia(file(mp4));
    const service = await serveSpeechToText();
    await createVideo(tenant, media.url, { type: 'text' });
    await createVideo(tenant, media.url, { video_url: undefined });
    expect([media.requests, service.received.length]).toEqual([0, 0]);
  });

  test.each([
    ['where no service is configured', { OPENAI_API_KEY: '', OPENAI_BASE_URL: '' }],
    ['where transcription is switched off', { TRANSCRIPTION_DISABLED: 'true' }],
  ])('%s, and the log says so once', async (_, values) => {
    const tenant = await createTenant();
    const media = await serveMedia(file(mp4));
    const service = await serveSpeechToText();
    provideEnv(values);
    const info = jest.spyOn(log(), 'info');
    const { row } = await createVideo(tenant, media.url);
    await createVideo(tenant, media.url);
    expect(row).toMatchObject({ ai_transcript: null, text_content: 'As sent.' });
    expect([media.requests, service.received.length]).toEqual([0, 0]);
    const announced = info.mock.calls.filter(([line]) => String(line).startsWith('Videos are not'));
    expect(announced.length).toBeLessThanOrEqual(1);
  });
});

describe('whatever goes wrong: 201, the row as sent, and the reason in the log', () => {
  const audioless = () => makeMedia({ format: 'mp4', videoFrameBytes: 1000 });
  const page = Buffer.from('<!doctype html>');
  type Setting = {
    media?: () => Promise<Buffer>;
    contentType?: string;
    text?: unknown;
    status?: number;
    url?: string;
    reason: string;
  };

  test.each<[string, Setting]>([
    ['a page', { media: async () => page, contentType: 'text/html', reason: 'text/html' }],
    ['no such host', { url: 'https://no-such-host.invalid/v.mp4', reason: 'cannot be read: dns' }],
    ['another protocol', { url: 'ftp://files.example/v.mp4', reason: 'url_refused' }],
    ['no audio track', { media: audioless, reason: 'no audio track' }],
    ['silence', { text: '  \n', reason: 'nobody speaks in it' }],
    ['a service that refuses', { status: 400, reason: 'answered 400' }],
    ['a service that answers nonsense', { text: 7, reason: 'answered 200' }],
  ])('%s', async (_, { media = async () => mp4, contentType, text = 'x', status, url, reason }) => {
    const lines = watchLog();
    const tenant = await createTenant();
    const source = await serveMedia(file(await media(), contentType));
    const service = await serveSpeechToText();
    service.answer = async () => ({ status, body: { text } });
    const { inserted, row } = await createVideo(tenant, url ?? source.url);
    expect(row).toEqual(inserted);
    expect(row).toMatchObject({ ai_transcript: null, text_content: 'As sent.' });
    expect(lines).toEqual([
      expect.objectContaining({
        testimonialId: row.id,
        accountId: tenant.accountId,
        reason: expect.stringContaining(reason),
      }),
    ]);
  });

  test('a testimonial that is deleted meanwhile', async () => {
    const lines = watchLog();
    const tenant = await createTenant();
    const { id: spaceId } = await tenant.space();
    const media = await serveMedia(file(mp4));
    const service = await serveSpeechToText();
    service.answer = async () => {
      await database().testimonial.deleteMany({ where: { user_id: tenant.accountId } });
      return { body: { text: 'Too late.' } };
    };
    const answer = await tenant.api.post('/testimonials', {
      ...minimalTestimonial(spaceId),
      type: 'video',
      video_url: media.url,
    });
    expect(answer.status).toBe(201);
    expect(lines).toMatchObject([
      {
        reason: 'another process has it or its transcript, or it was changed or deleted meanwhile',
      },
    ]);
  });

  test('the reason in the log holds neither the link nor the key', async () => {
    const lines = watchLog();
    const tenant = await createTenant();
    const media = await serveMedia((response) => response.writeHead(403).end());
    await serveSpeechToText();
    await createVideo(tenant, `${media.url}/v.mp4?X-Amz-Signature=0a1b2c`);
    expect(JSON.stringify(lines)).not.toMatch(/0a1b2c|key-of-the-service/);
  });
});

test('many at once are all transcribed', async () => {
  const tenant = await createTenant();
  const media = await serveMedia(file(mp4));
  await serveSpeechToText();
  const created = await Promise.all(
    Array.from({ length: 8 }, () => createVideo(tenant, media.url)),
  );
  expect(created.every(({ row }) => /^Hello \d[.]$/.test(row.ai_transcript))).toBe(true);
});
