import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { provideEnv } from '@/src/env';
import { transcriptionLimits } from '@/src/transcription/limits';
import { serve } from '../outbound/servers';
import { shortVideo } from './media';

/** A server of media files that counts its requests. Returns its address without a path. */
export async function serveMedia(
  answer: (response: ServerResponse, request: IncomingMessage) => void,
) {
  const media = { url: '', requests: 0 };
  const server = createServer((request, response) => {
    media.requests += 1;
    answer(response, request);
  });
  media.url = `http://127.0.0.1:${await serve(server)}`;
  return media;
}

/** The file as a server of files sends it. */
export function file(bytes: Uint8Array, contentType = 'video/mp4') {
  return (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': contentType, 'content-length': bytes.length });
    response.end(bytes);
  };
}

/** A server of a short video. */
export async function serveVideo() {
  return serveMedia(file(await shortVideo()));
}

/** A link that answers so at first, and with the short video from then on. */
export async function serveAfter(first: (response: ServerResponse) => void) {
  const sendVideo = file(await shortVideo());
  const media = await serveMedia((response) =>
    media.requests === 1 ? first(response) : sendVideo(response),
  );
  return media;
}

/** Short videos that are sent once they are let go; `reached(n)` resolves when so many are asked for. */
export async function serveHeld() {
  const sendVideo = file(await shortVideo());
  // However long what a test does meanwhile takes, what is held is not too slow.
  jest.replaceProperty(transcriptionLimits, 'downloadRate', {
    ...transcriptionLimits.downloadRate,
    windowMs: 60_000,
  });
  let held: ServerResponse[] | undefined = [];
  let look = () => {};
  const media = await serveMedia((response) => {
    if (held) held.push(response);
    else sendVideo(response);
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
      for (const response of all) sendVideo(response);
    },
  };
}

export type AudioRequest = {
  path: string;
  authorization: string | undefined;
  fields: Record<string, string>;
  file: File;
  /** Resolves once it is answered, or its client has left. */
  isOver: Promise<void>;
};

/** What a speech-to-text service answers: status, body, headers. */
export type AudioAnswer = { status?: number; body: unknown; headers?: Record<string, string> };

/**
 * A speech-to-text service that keeps what it is sent, and is the configured one for the test.
 * `answer` may be replaced; by default each file is "Hello." and its place.
 */
export async function serveSpeechToText() {
  // On a crowded machine the start of the process for it alone may take as long as it has else.
  jest.replaceProperty(transcriptionLimits, 'extractionTimeoutMs', 60_000);
  const service = {
    url: '',
    received: [] as AudioRequest[],
    answer: async (_request: AudioRequest, index: number): Promise<AudioAnswer | 'hang up'> => ({
      body: { text: ` Hello ${index}. ` },
    }),
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk);
    } catch {
      // The client has given the request up: nobody waits for an answer.
      return;
    }
    const form = await new Response(Buffer.concat(chunks), {
      headers: { 'content-type': request.headers['content-type'] ?? '' },
    }).formData();
    const file = form.get('file');
    if (!(file instanceof File)) throw new Error('No file was sent');
    form.delete('file');
    const received = {
      path: request.url ?? '',
      authorization: request.headers.authorization,
      fields: Object.fromEntries([...form].map(([name, value]) => [name, String(value)])),
      file,
      isOver: new Promise<void>((resolve) => response.once('close', resolve)),
    };
    const index = service.received.push(received) - 1;
    const answer = await service.answer(received, index);
    if (answer === 'hang up') return request.socket.destroy();
    const { status = 200, body, headers } = answer;
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
  });
  service.url = `http://127.0.0.1:${await serve(server)}/v1`;
  provideEnv({
    OPENAI_BASE_URL: service.url,
    OPENAI_API_KEY: 'key-of-the-service',
    TRANSCRIPTION_MODEL: 'a-model',
    TRANSCRIPTION_DISABLED: '',
    ALLOW_PRIVATE_NETWORK: 'true',
  });
  return service;
}
