import { once } from 'node:events';
import http from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { guardedRequest, StaleConnectionError, toOutboundError } from '@/src/outbound/request';
import { openOutbound } from '@/src/outbound/stream';
import { closeServers, serve } from './servers';

afterEach(closeServers);

type Options = Partial<Parameters<typeof openOutbound>[0]>;

function open(url: string, options: Options = {}) {
  const { signal } = new AbortController();
  return openOutbound({ url, headers: {}, allowPrivate: true, signal, ...options });
}

/** Reads all of the answer, and gives its status once its connection is kept. */
async function download(url: string): Promise<number | undefined> {
  const answer = await open(url);
  await once(answer.resume(), 'close');
  await turn();
  return answer.statusCode;
}

test('a download over a connection that was closed meanwhile is asked for once more', async () => {
  let connections = 0;
  let isClosing = false;
  const server = http.createServer(({ socket }, response) => {
    if (isClosing) socket.destroy();
    else response.end('ok');
    isClosing = false;
  });
  server.on('connection', () => {
    connections += 1;
  });
  const url = `http://127.0.0.1:${await serve(server)}/`;
  expect([await download(url), await download(url), connections]).toEqual([200, 200, 1]);
  isClosing = true;
  expect([await download(url), connections]).toEqual([200, 2]);
});

test('nor does it fail where others were closed with it', async () => {
  const used = new Set<unknown>();
  const held: (() => void)[] = [];
  const server = http.createServer(({ socket }, response) => {
    if (used.has(socket)) return socket.destroy();
    used.add(socket);
    held.push(() => response.end('ok'));
    if (used.size >= 2) for (const answer of held.splice(0)) answer();
  });
  const url = `http://127.0.0.1:${await serve(server)}/`;
  expect(await Promise.all([download(url), download(url)])).toEqual([200, 200]);
  expect([await download(url), used.size]).toEqual([200, 3]);
});

test.each(['ECONNRESET', 'EPIPE'])(
  'a connection that was kept and fails with %s had been closed before, and no other had',
  (code) => {
    const url = new URL('http://127.0.0.1:9/');
    const outgoing = guardedRequest(url, { method: 'GET', headers: {}, allowPrivate: true });
    outgoing.on('error', () => {}).destroy();
    const cause = Object.assign(new Error('It failed'), { code });
    const isStale = (reusedSocket: boolean) =>
      toOutboundError(Object.assign(outgoing, { reusedSocket }), cause) instanceof
      StaleConnectionError;
    expect([isStale(true), isStale(false)]).toEqual([true, false]);
  },
);

test('a download may be over plain http, also where private addresses are refused', async () => {
  const options: Options = { allowPrivate: false, resolve: async () => ['127.0.0.1'] };
  await expect(open('http://files.example/', options)).rejects.toMatchObject({
    kind: 'address_refused',
  });
});
