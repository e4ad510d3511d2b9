import { rm, writeFile } from 'node:fs/promises';
import { PHASE_PRODUCTION_SERVER } from 'next/constants';
import config from '@/next.config.mjs';
import { besideNext, dataHeaders } from '@/src/service/beside-next';
import { setStopping } from '@/src/stopping';
import { createAccount } from '../helpers/accounts';
import { stopTimers } from '../helpers/clock';
import { closeFronts, openPeer, serve } from '../http/front';
import { temporaryFiles, upload } from '../storage/files';

afterEach(closeFronts);

const paths = ['/api/health', '/api/health/live', '/api/health/ready'];

test.each(paths)(
  'a read of %s is answered without Next, with the headers it gives',
  async (path) => {
    // The database has four seconds, which are not to pass here.
    stopTimers();
    const { port } = await serve({ besideNext });
    for (const method of ['GET', 'HEAD']) {
      const answer = await fetch(`http://127.0.0.1:${port}${path}?at=now`, { method });
      expect(answer.status).toBe(200);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': 'application/json',
        'cache-control': 'no-store',
        ...(await headersOfNext(path)),
      });
      expect(await answer.text()).toBe(method === 'GET' ? '{"status":"ok"}' : '');
    }
  },
);

test('whatever else is asked of such a path goes on to Next', async () => {
  const { port } = await serve({ besideNext });
  for (const [method, path] of [
    ['POST', '/api/health'],
    ['DELETE', '/api/health/live'],
    ['OPTIONS', '/api/health/ready'],
    ['GET', '/api/health/other'],
  ] as const) {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method });
    expect(await answer.text()).toBe('ok');
  }
});

describe('an uploaded file', () => {
  const folder = temporaryFiles();
  const content = Buffer.alloc(1_000_000, 'picture');
  let path: string;

  beforeAll(async () => {
    const file = await upload(folder, await createAccount(), 'avatar');
    await writeFile(file.path, content);
    path = new URL(file.url).pathname;
  });

  const asked = async (init: RequestInit = {}) => {
    const { port } = await serve({ besideNext });
    return fetch(`http://127.0.0.1:${port}${path}`, init);
  };

  test('says how long it is, and arrives whole', async () => {
    const answer = await asked();
    expect(answer.headers.get('content-length')).toBe(String(content.length));
    expect(answer.headers.get('content-type')).toBe('image/png');
    expect(Buffer.from(await answer.arrayBuffer()).equals(content)).toBe(true);
  });

  test('says so without a body to HEAD, also where a range is asked for', async () => {
    const answer = await asked({ method: 'HEAD', headers: { Range: 'bytes=0-3' } });
    expect([answer.status, answer.headers.get('content-length')]).toEqual([
      200,
      String(content.length),
    ]);
    expect(await answer.text()).toBe('');
  });

  test('is sent in parts', async () => {
    const answer = await asked({ headers: { Range: 'bytes=3-9' } });
    expect([answer.status, answer.headers.get('content-range')]).toEqual([
      206,
      `bytes 3-9/${content.length}`,
    ]);
    expect(await answer.text()).toBe('turepic');
  });

  test('is not written to, and the connection goes on after what was sent', async () => {
    const { port } = await serve({ besideNext });
    const send = (method: string, body = '') =>
      `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nRange: bytes=0-6\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const peer = openPeer(port, send('PUT', 'x'.repeat(5_000)) + send('GET'));
    const received = await peer.until(/picture$/);
    expect(received).toMatch(/^HTTP\/1.1 405 .*\nallow: GET, HEAD, OPTIONS\r.*HTTP\/1.1 206 /s);
  });

  test('that goes while it is sent breaks the connection off', async () => {
    const large = await upload(folder, await createAccount(), 'avatar');
    const bytes = 30_000_000;
    await writeFile(large.path, Buffer.alloc(bytes));
    const { port } = await serve({ besideNext });
    const peer = openPeer(
      port,
      `GET ${new URL(large.url).pathname} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
    );
    await new Promise((done) => peer.socket.once('data', done));
    peer.socket.pause();
    await rm(large.path);
    peer.socket.resume();
    expect((await peer.closed).length).toBeLessThan(bytes);
  });
});

test('a process that was told to stop says that it is not ready', async () => {
  const { port } = await serve({ besideNext });
  setStopping();
  const answer = await fetch(`http://127.0.0.1:${port}/api/health/ready`);
  expect(answer.status).toBe(503);
  expect(await answer.json()).toEqual({ status: 'unavailable', reason: 'stopping' });
});

test('the headers are those of next.config.mjs, no more and no fewer', async () => {
  for (const path of paths) expect(await headersOfNext(path)).toEqual(lowered(dataHeaders));
});

async function headersOfNext(path: string): Promise<Record<string, string>> {
  const rules = (await config(PHASE_PRODUCTION_SERVER).headers?.()) ?? [];
  const fitting = rules.filter(({ source }) => new RegExp(`^${source}$`).test(path));
  const pairs = fitting.flatMap(({ headers }) => headers.map(({ key, value }) => [key, value]));
  return lowered(Object.fromEntries(pairs));
}

function lowered(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}
