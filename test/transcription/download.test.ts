import { statSync } from 'node:fs';
import { type FileHandle, open, readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { provideEnv } from '@/src/env';
import { withTemporaryFolder } from '@/src/file-system/temporary-folder';
import { downloadMedia } from '@/src/transcription/download';
import { transcriptionLimits } from '@/src/transcription/limits';
import { promised } from '../helpers/promised';
import { until } from '../helpers/until';
import { closeServers, openTrap, serve } from '../outbound/servers';
import { file, serveMedia } from './servers';

const MB = 1024 * 1024;
const limits = { ...transcriptionLimits, downloadBytes: 2 * MB };
const start = Buffer.from('\0\0\0\x18ftypisom', 'latin1');
const video = Buffer.concat([start, Buffer.alloc(MB, 'frame')]);

beforeEach(() => provideEnv({ ALLOW_PRIVATE_NETWORK: 'true' }));
afterEach(closeServers);

/** Downloads; gives back what was stored. The deadline is for tests that would else never end. */
function download(url: string, signal = AbortSignal.timeout(30_000), limited = limits) {
  return withTemporaryFolder(async (folder) => {
    const media = await downloadMedia(url, join(folder, 'media'), signal, limited);
    return { ...media, bytes: await readFile(media.path) };
  });
}

describe('a direct link', () => {
  test.each([
    ['with its type', 'video/mp4'],
    ['of no declared type', ''],
    ['of a type that says nothing', 'application/octet-stream'],
    ['of a wrong type', 'text/plain; charset=utf-8'],
  ])('%s is downloaded', async (_, type) => {
    const media = await serveMedia(file(video, type));
    const { bytes, sizeBytes, container } = await download(`${media.url}/download?id=7`);
    expect(bytes.equals(video)).toBe(true);
    expect({ sizeBytes, container }).toEqual({ sizeBytes: video.length, container: 'mp4' });
    expect(media.requests).toBe(1);
  });

  test('is asked for once, by a GET that offers no compression', async () => {
    const seen: unknown[] = [];
    const media = await serveMedia((response, { method, headers }) => {
      seen.push([method, headers['accept-encoding'], headers.authorization, headers.cookie]);
      file(video)(response);
    });
    await download(media.url);
    expect(seen).toEqual([['GET', 'identity', undefined, undefined]]);
  });

  test('may stand behind five redirects, absolute or relative', async () => {
    const media = await serveMedia((response, { url = '' }) => {
      const hop = Number(url.slice(1));
      if (hop === 5) return file(video)(response);
      const next = `${hop % 2 ? media.url : ''}/${hop + 1}`;
      response.writeHead([301, 302, 303, 307, 308][hop] ?? 302, { location: next }).end();
    });
    expect((await download(`${media.url}/0`)).sizeBytes).toBe(video.length);
    expect(media.requests).toBe(6);
  });
});

describe('what is no direct link', () => {
  test.each([
    ['a page', 'text/html; charset=utf-8', '<!doctype html>'],
    ['a page that calls itself a video', 'video/mp4', '<!doctype html><title>Watch</title>'],
    ['JSON', 'application/json', '{}'],
    ['a problem', 'application/problem+json', '{}'],
    ['XML', 'text/xml', '<a/>'],
    ['a manifest', 'application/dash+xml', '<MPD/>'],
    ['a playlist', 'application/vnd.apple.mpegurl', '#EXTM3U'],
    ['a playlist named .mp4', 'video/mp4', '#EXTM3U\n#EXTINF:10,\nhttp://10.0.0.1/secret.ts'],
    ['a video that calls itself a page', 'text/html', start.toString('latin1')],
    ['a photo', 'image/jpeg', '\xff\xd8\xff\xe0'],
    ['nothing', 'video/mp4', ''],
  ])('%s', async (_, type, body) => {
    const media = await serveMedia(file(Buffer.from(body, 'latin1'), type));
    await expect(download(`${media.url}/video.mp4`)).rejects.toThrow(/the link leads to /);
  });

  test.each([204, 206, 401, 403, 404, 410, 500])('an answer of status %i', async (status) => {
    const media = await serveMedia((response) => response.writeHead(status).end());
    await expect(download(media.url)).rejects.toThrow(`status ${status}`);
  });

  test.each([
    [404, false],
    [408, true],
    [429, true],
    [500, true],
    [503, true],
  ])('an answer of status %i may pass: %s', async (status, mayPass) => {
    const media = await serveMedia((response) => response.writeHead(status).end());
    await expect(download(media.url)).rejects.toMatchObject({ mayPass });
  });

  test.each([
    ['without a target', {}, 'redirects to nowhere'],
    ['to what is no URL', { location: 'http://[' }, 'redirects to nowhere'],
    ['to a file of this machine', { location: 'file:///etc/passwd' }, 'url_refused'],
    ['in a circle', { location: '/' }, 'redirects more than 5 times'],
  ])('a redirect %s', async (_, headers, message) => {
    const media = await serveMedia((response) => response.writeHead(302, headers).end());
    await expect(download(media.url)).rejects.toThrow(message);
  });
});

describe('hostile sources', () => {
  test('a stream without end is cut at the limit', async () => {
    let sent = 0;
    const media = await serveMedia((response) => {
      response.writeHead(200);
      response.write(start);
      const write = () => {
        while (!response.destroyed) {
          sent += 64 * 1024;
          if (!response.write(Buffer.alloc(64 * 1024))) return response.once('drain', write);
        }
      };
      write();
    });
    await expect(download(media.url)).rejects.toThrow('larger than 2 MB');
    expect(sent).toBeLessThan(20 * MB);
  });

  test('a drip is left at the deadline', async () => {
    const media = await serveMedia((response) => {
      response.writeHead(200);
      response.write(start);
      const drip = setInterval(() => response.write('.'), 20);
      response.on('close', () => clearInterval(drip));
    });
    await expect(download(media.url, AbortSignal.timeout(300))).rejects.toMatchObject({
      name: 'TimeoutError',
    });
  });

  test.each([
    ['that drips', '.'],
    ['that drips ever new redirects', 'redirect'],
    ['that says nothing', undefined],
  ])('a source %s is left long before the deadline', async (_, drip) => {
    const media = await serveMedia((response, { url = '' }) => {
      if (drip === 'redirect') {
        setTimeout(() => response.writeHead(302, { location: `${url}0` }).end(), 20);
      } else if (drip !== undefined) {
        response.writeHead(200).write(start);
        const dripping = setInterval(() => response.write(drip), 20);
        response.on('close', () => clearInterval(dripping));
      }
    });
    const downloadRate = { bytesPerSecond: 128 * 1024, windowMs: 50 };
    await expect(
      download(`${media.url}/1`, AbortSignal.timeout(25_000), {
        ...limits,
        downloadRate,
        redirects: 10_000,
      }),
    ).rejects.toThrow('the link sends too slowly');
  });

  test('what is no media file is left after its first bytes, however much would follow', async () => {
    const media = await serveMedia((response) => {
      response.writeHead(200).write(Buffer.alloc(64 * 1024, 'text'));
    });
    await expect(download(media.url)).rejects.toThrow('no media file of a known kind');
  });

  test('a source that goes on at the least rate is not too slow', async () => {
    const downloadRate = { bytesPerSecond: 1, windowMs: 1_000_000 };
    const timers = jest.spyOn(global, 'setInterval');
    const endWindow = () => timers.mock.calls.find(([, ms]) => ms === downloadRate.windowMs)?.[0]();
    let answer: ServerResponse | undefined;
    const media = await serveMedia((response) => {
      answer = response.writeHead(200);
      answer.write(video);
    });
    const deadline = AbortSignal.timeout(60_000);
    await withTemporaryFolder(async (folder) => {
      const path = join(folder, 'media');
      const stored = () => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
      const limited = { ...limits, downloadBytes: 8 * MB, downloadRate };
      const done = downloadMedia(media.url, path, deadline, limited);
      for (const parts of [1, 2, 3]) {
        await until(() => stored() === parts * video.length);
        endWindow();
        answer?.write(video);
      }
      answer?.end();
      expect(await done).toMatchObject({ sizeBytes: 4 * video.length });
    });
    expect(timers.mock.calls.some(([, ms]) => ms === downloadRate.windowMs)).toBe(true);
  });

  test('silence is left at the deadline', async () => {
    const port = await serve(createServer());
    await expect(
      download(`http://127.0.0.1:${port}`, AbortSignal.timeout(200)),
    ).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  test('a length over the limit is not waited for', async () => {
    const media = await serveMedia((response) => {
      response.writeHead(200, { 'content-length': 600 * MB }).write(start);
    });
    await expect(download(media.url)).rejects.toThrow('larger than 2 MB');
  });

  test('a file shorter than declared is none', async () => {
    const media = await serveMedia((response) => {
      response.writeHead(200, { 'content-length': video.length + 1000 }).write(video, () => {
        response.destroy();
      });
    });
    await expect(download(media.url)).rejects.toThrow('the link cannot be read: it breaks off');
  });

  test.each(['opened', 'written'])(
    'a file of ours that cannot be %s is no fault of the link, which is left',
    async (step) => {
      const left = promised<void>();
      const media = await serveMedia((response) => {
        response.on('close', left.resolve).writeHead(200).write(video);
      });
      await withTemporaryFolder(async (folder) => {
        const signal = AbortSignal.timeout(30_000);
        const fileHandle = await open(folder);
        const prototype: FileHandle = Object.getPrototypeOf(fileHandle);
        await fileHandle.close();
        const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
        const write = jest.spyOn(prototype, 'writeFile').mockRejectedValue(full);
        try {
          const path = step === 'opened' ? join(folder, 'gone', 'media') : join(folder, 'media');
          const code = step === 'opened' ? 'ENOENT' : 'ENOSPC';
          await expect(downloadMedia(media.url, path, signal, limits)).rejects.toMatchObject({
            code,
          });
        } finally {
          write.mockRestore();
        }
        await left.promise;
      });
    },
  );

  test('a compressed answer is not unpacked', async () => {
    const bomb = gzipSync(Buffer.concat([start, Buffer.alloc(50 * MB)]));
    const media = await serveMedia((response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
    });
    await expect(download(media.url)).rejects.toThrow('encoding gzip');
  });

  test.each([
    ['what is not HTTP', 'SSH-2.0-OpenSSH_9.2\r\n'],
    [
      'a change of protocol',
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
    ],
  ])('%s is no answer', async (_name, bytes) => {
    const port = await serve(
      createServer((socket) => socket.once('data', () => socket.end(bytes))),
    );
    await expect(download(`http://127.0.0.1:${port}`)).rejects.toThrow('invalid_answer');
  });
});

describe('private addresses', () => {
  const mocked = setupServer();
  afterEach(() => mocked.close());

  beforeEach(() => provideEnv({ ALLOW_PRIVATE_NETWORK: 'false' }));

  test.each([
    ['127.0.0.1', 'address_refused|url_refused'],
    ['2130706433', 'address_refused|url_refused'],
    ['[::ffff:127.0.0.1]', 'address_refused|url_refused'],
    ['localhost', 'address_refused|url_refused'],
  ])('a link to %s is refused before a connection', async (host, kinds) => {
    const trap = await openTrap();
    await expect(download(`http://${host}:${trap.port}/video.mp4`)).rejects.toThrow(
      new RegExp(kinds),
    );
    expect(trap.connections).toBe(0);
  });

  test('a redirect to one is refused before a connection', async () => {
    const trap = await openTrap();
    mocked.listen({ onUnhandledRequest: 'bypass' });
    mocked.use(
      http.get('https://videos.example/:hop', ({ params }) =>
        HttpResponse.redirect(
          params.hop === 'first'
            ? 'https://videos.example/second'
            : `http://127.0.0.1:${trap.port}/latest/meta-data`,
        ),
      ),
    );
    await expect(download('https://videos.example/first')).rejects.toThrow(/_refused/);
    expect(trap.connections).toBe(0);
  });
});
