import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { provideEnv } from '@/src/env';
import { withTemporaryFolder } from '@/src/file-system/temporary-folder';
import { speechToText, type Transcript, transcribeAudio } from '@/src/transcription/speech-to-text';
import { onLinux } from '../helpers/on-linux';
import { openFilesOf } from '../helpers/open-files';
import { promised } from '../helpers/promised';
import { enoughHeard, largeBytes, serveEnoughHeard } from '../outbound/cut-uploads';
import { closeServers } from '../outbound/servers';
import { serveSpeechToText } from './servers';

afterEach(closeServers);

/** Has files of these contents transcribed by the configured service. */
function transcribe(contents: string[], timeoutMs = 60_000): Promise<Transcript> {
  return withTemporaryFolder(async (folder) => {
    const files = contents.map((content, index) => {
      const path = join(folder, String(index));
      writeFileSync(path, content);
      return { path, fileName: 'audio.m4a', contentType: 'audio/mp4' };
    });
    const service = speechToText();
    if (!service) throw new Error('No service');
    return transcribeAudio(service, files, AbortSignal.timeout(timeoutMs), { pause });
  });
}

let pauses: number[] = [];
const pause = async (ms: number) => void pauses.push(ms);

beforeEach(() => {
  pauses = [];
});

test('a file goes out as the API of OpenAI takes it', async () => {
  const service = await serveSpeechToText();
  expect((await transcribe(['sound'])).text).toBe('Hello 0.');
  const [request] = service.received;
  expect(request).toMatchObject({
    path: '/v1/audio/transcriptions',
    authorization: 'Bearer key-of-the-service',
    fields: { model: 'a-model', response_format: 'verbose_json' },
  });
  expect(request?.file.name).toBe('audio.m4a');
  expect(request?.file.type).toBe('audio/mp4');
  expect(await request?.file.text()).toBe('sound');
});

test('of an address with a query, as that of the version in Azure, the path goes before it, and the query stays as it is', async () => {
  const service = await serveSpeechToText();
  provideEnv({ OPENAI_BASE_URL: `${service.url}/?key=a/` });
  await transcribe(['sound']);
  expect(service.received.map(({ path }) => path)).toEqual(['/v1/audio/transcriptions?key=a/']);
});

test('the transcripts of several files are joined in their order, whichever comes first', async () => {
  const service = await serveSpeechToText();
  service.answer = async ({ file }) => {
    const content = await file.text();
    await new Promise((done) => setTimeout(done, content === 'one' ? 100 : 0));
    return { body: { text: `\n${content} ` } };
  };
  expect((await transcribe(['one', 'two', 'three', 'four', 'five'])).text).toBe(
    'one two three four five',
  );
});

describe('the language', () => {
  const english = { text: 'Hello.', language: 'english', segments: [] };

  test.each<[string, unknown, string | null]>([
    ['the word of the service', 'english', 'english'],
    ['a tag', ' pt-BR ', 'pt-BR'],
    ['nothing', undefined, null],
    ['an empty one', ' ', null],
    ['no string', 7, null],
    ['more than a language can be called', 'x'.repeat(40), 'x'.repeat(35)],
    ['what Postgres cannot hold', 'e\0n', 'en'],
  ])('is as the service tells it: %s', async (_, language, expected) => {
    const service = await serveSpeechToText();
    service.answer = async () => ({ body: { ...english, language } });
    expect(await transcribe(['sound'])).toEqual({ text: 'Hello.', language: expected });
  });

  test('of several files is the first that is told of one in which somebody speaks', async () => {
    const service = await serveSpeechToText();
    service.answer = async ({ file }) => {
      const content = await file.text();
      const text = content === 'one' ? '' : content;
      return { body: { text, ...(content !== 'two' && { language: `of ${content}` }) } };
    };
    expect((await transcribe(['one', 'two', 'three', 'four'])).language).toBe('of three');
  });

  test.each([
    [400, { error: { message: "response_format 'verbose_json' is not compatible with model" } }],
    [422, { detail: [{ loc: ['body', 'response_format'], msg: 'unexpected value' }] }],
  ])('is not asked for again of a service that refuses to tell: %i', async (status, body) => {
    const service = await serveSpeechToText();
    service.answer = async ({ fields }) =>
      fields.response_format === 'json' ? { body: { text: 'Plain.' } } : { status, body };
    expect(await transcribe(['sound'])).toEqual({ text: 'Plain.', language: null });
    await transcribe(['sound']);
    const formats = service.received.map(({ fields }) => fields.response_format);
    expect(formats).toEqual(['verbose_json', 'json', 'json']);
    expect(pauses).toEqual([]);
  });

  test('is given up where the service fails at the question', async () => {
    const service = await serveSpeechToText();
    service.answer = async ({ fields }) =>
      fields.response_format === 'json' ? { body: { text: 'Plain.' } } : { status: 500, body: '' };
    expect(await transcribe(['sound'])).toEqual({ text: 'Plain.', language: null });
    expect(service.received).toHaveLength(2);
  });
});

describe('configuration', () => {
  const nothing = {
    OPENAI_API_KEY: '',
    OPENAI_BASE_URL: '',
    TRANSCRIPTION_MODEL: '',
    TRANSCRIPTION_DISABLED: '',
  };
  test.each([
    ['nothing', {}, undefined],
    [
      'a key alone means OpenAI',
      { OPENAI_API_KEY: 'k' },
      { baseUrl: 'https://api.openai.com/v1', apiKey: 'k', model: 'whisper-1' },
    ],
    [
      'an address alone, for a server that wants no key',
      { OPENAI_BASE_URL: 'http://whisper:8000/v1/', TRANSCRIPTION_MODEL: 'large' },
      { baseUrl: 'http://whisper:8000/v1/', apiKey: undefined, model: 'large' },
    ],
    ['switched off', { OPENAI_API_KEY: 'k', TRANSCRIPTION_DISABLED: 'true' }, undefined],
  ])('%s', (_, values, expected) => {
    provideEnv({ ...nothing, ...values });
    expect(speechToText()).toEqual(expected);
  });

  test('without a key no Authorization header is sent', async () => {
    const service = await serveSpeechToText();
    provideEnv({ OPENAI_API_KEY: '' });
    await transcribe(['sound']);
    expect(service.received[0]?.authorization).toBeUndefined();
  });
});

describe('what passes is tried again', () => {
  test.each<[string, number | 'hang up']>([
    ['429', 429],
    ['500', 500],
    ['503', 503],
    ['a broken connection', 'hang up'],
  ])('%s', async (_, failure) => {
    const service = await serveSpeechToText();
    service.answer = async (_, index) => {
      if (index >= 2) return { body: { text: 'at last' } };
      return failure === 'hang up' ? failure : { status: failure, body: { error: 'busy' } };
    };
    expect((await transcribe(['sound'])).text).toBe('at last');
    expect(pauses).toEqual([500, 1000]);
  });

  test.each(['7', '7 '])('no sooner than the service asks for: "%s"', async (asked) => {
    const service = await serveSpeechToText();
    service.answer = async (_, index) =>
      index > 0
        ? { body: { text: 'at last' } }
        : { status: 429, body: '', headers: { 'retry-after': asked } };
    expect((await transcribe(['sound'])).text).toBe('at last');
    expect(pauses).toEqual([7000]);
  });

  test('but not by a request that waits, where it asks for more than 20 s', async () => {
    const service = await serveSpeechToText();
    service.answer = async () => ({ status: 429, body: '', headers: { 'retry-after': '21' } });
    await expect(transcribe(['sound'])).rejects.toMatchObject({
      mayPass: true,
      retryAfter: '21',
    });
    expect(service.received).toHaveLength(1);
  });

  test.each([401, 402, 403, 404, 301])(
    'later alone: %i, which configuration mends',
    async (status) => {
      const service = await serveSpeechToText();
      service.answer = async () => ({ status, body: '' });
      await expect(transcribe(['sound'])).rejects.toMatchObject({ mayPass: true });
      expect(service.received).toHaveLength(1);
    },
  );

  test.each([400, 413, 415, 422])('never: %i, which is about the file', async (status) => {
    const service = await serveSpeechToText();
    service.answer = async () => ({ status, body: '' });
    await expect(transcribe(['sound'])).rejects.toMatchObject({ mayPass: false });
  });

  test('but not without end', async () => {
    const service = await serveSpeechToText();
    service.answer = async () => ({ status: 503, body: 'down' });
    await expect(transcribe(['sound'])).rejects.toThrow('answered 503: down');
    expect(service.received).toHaveLength(6);
  });
});

describe('what does not pass is not', () => {
  test.each([
    ['a refusal', { status: 400, body: { error: { message: 'bad file' } } }, 'answered 400'],
    ['a wrong key', { status: 401, body: { error: { message: 'bad key' } } }, 'answered 401'],
    ['an error with status 200', { body: { error: 'no such model' } }, 'answered 200'],
    ['a text that is none', { body: { text: null } }, 'answered 200'],
    ['no JSON', { body: '<html>' }, 'answered 200: <html>'],
    [
      'a redirect',
      { status: 301, body: '', headers: { location: 'https://elsewhere.example' } },
      'answered 301',
    ],
  ])('%s', async (_, answer, message) => {
    const service = await serveSpeechToText();
    service.answer = async () => answer;
    await expect(transcribe(['sound'])).rejects.toThrow(message);
    expect(service.received).toHaveLength(1);
  });

  test('a transcript with a hole in it is none, and its other parts are given up', async () => {
    const service = await serveSpeechToText();
    const { promise: isHeard, resolve: hear } = promised<void>();
    service.answer = async ({ file }) => {
      if ((await file.text()) === 'one') {
        hear();
        return new Promise(() => {});
      }
      await isHeard;
      return { status: 400, body: 'no' };
    };
    await expect(transcribe(['one', 'two'])).rejects.toThrow('answered 400: no');
    await Promise.all(service.received.map(({ isOver }) => isOver));
  });

  test('an answer without end is cut', async () => {
    const service = await serveSpeechToText();
    service.answer = async () => ({ body: { text: 'x'.repeat(5_000_000) } });
    await expect(transcribe(['sound'])).rejects.toThrow(/^the transcript is too long$/);
    expect(service.received).toHaveLength(1);
  });

  // A few megabytes of brackets keep the process for half a second.
  test('is not parsed where it has more values than any transcript', async () => {
    const service = await serveSpeechToText();
    service.answer = async () => ({ body: { text: 'Hello.', words: Array(200_000).fill(0) } });
    await expect(transcribe(['sound'])).rejects.toThrow(
      /^the speech-to-text service answered 200: /,
    );
  });
});

test('a service that says nothing is left at the deadline', async () => {
  const service = await serveSpeechToText();
  service.answer = () => new Promise(() => {});
  await expect(transcribe(['sound'], 200)).rejects.toMatchObject({ name: 'TimeoutError' });
});

test('so is one of which nothing more is said, nor of an abort', async () => {
  await serveSpeechToText();
  jest.spyOn(global, 'fetch').mockResolvedValue(new Response(new ReadableStream()));
  await expect(transcribe(['sound'], 50)).rejects.toMatchObject({ name: 'TimeoutError' });
});

onLinux.each(enoughHeard)(
  'a service that %s before it has the whole file leaves no file open',
  async (_, react) => {
    await serveSpeechToText();
    provideEnv({ OPENAI_BASE_URL: await serveEnoughHeard(react) });
    await withTemporaryFolder(async (folder) => {
      const path = join(folder, 'audio');
      writeFileSync(path, Buffer.alloc(largeBytes));
      const service = speechToText();
      if (!service) throw new Error('No service');
      const files = [{ path, fileName: 'audio.m4a', contentType: 'audio/mp4' }];
      const deadline = AbortSignal.timeout(1_000);
      await expect(transcribeAudio(service, files, deadline, { pause })).rejects.toThrow();
      expect(openFilesOf(folder)).toEqual([]);
    });
  },
);
