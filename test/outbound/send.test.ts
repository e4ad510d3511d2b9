import { getEventListeners } from 'node:events';
import http, { type ServerResponse } from 'node:http';
import https from 'node:https';
import net, { type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { wholeTurn } from '@/src/http/stop-listening';
import { agentFor } from '@/src/outbound/agents';
import { guardedRequest } from '@/src/outbound/request';
import { sendOutbound } from '@/src/outbound/send';
import { until } from '../helpers/until';
import { clientsOnly, untrusted } from './certificate';
import { closeServers, serve } from './servers';

afterEach(closeServers);

const keepBytes = 16 * 1024;

function post(port: number, options: Partial<Parameters<typeof sendOutbound>[0]> = {}) {
  return sendOutbound({
    url: `http://127.0.0.1:${port}/in`,
    headers: { 'content-type': 'application/json' },
    body: '{"a":"é"}',
    timeoutMs: 60_000,
    keepBytes,
    allowPrivate: true,
    ...options,
  });
}

function answering(answer: (response: ServerResponse) => void) {
  return serve(http.createServer((_request, response) => answer(response)));
}

/** A server of raw bytes: what it says once it was sent something. */
function saying(say: (socket: Socket) => void) {
  return serve(net.createServer((socket) => socket.once('data', () => say(socket))));
}

test('the request arrives as it was given, and the answer comes back', async () => {
  const seen: unknown[] = [];
  const port = await serve(
    http.createServer(async (request, response) => {
      const chunks = [];
      for await (const chunk of request) chunks.push(chunk);
      seen.push(request.method, request.url, request.headers, Buffer.concat(chunks).toString());
      response.writeHead(201, { 'retry-after': '5' }).end('done');
    }),
  );
  expect(await post(port)).toMatchObject({
    status: 201,
    headers: { 'retry-after': '5' },
    body: Buffer.from('done'),
  });
  expect(seen).toEqual([
    'POST',
    '/in',
    expect.objectContaining({
      'content-type': 'application/json',
      'content-length': '10',
      'accept-encoding': 'identity',
    }),
    '{"a":"é"}',
  ]);
});

test('a redirect is an answer, and is not followed', async () => {
  let requests = 0;
  const port = await serve(
    http.createServer((_request, response) => {
      requests += 1;
      response.writeHead(302, { location: '/elsewhere' }).end();
    }),
  );
  expect(await post(port)).toMatchObject({ status: 302 });
  expect(requests).toBe(1);
});

test('of an endless body the start is kept, and the connection cut', async () => {
  let isCut = false;
  const port = await answering((response) => {
    const more = () => {
      while (response.write('x'.repeat(4096)));
    };
    response.on('drain', more).on('close', () => {
      isCut = true;
    });
    more();
  });
  // Not by the deadline.
  const { status, body } = await post(port, { timeoutMs: 3_600_000 });
  expect(status).toBe(200);
  expect(body).toHaveLength(keepBytes);
  await until(() => isCut);
});

test('a compressed body is not decompressed', async () => {
  const bomb = gzipSync(Buffer.alloc(1024 * 1024));
  const port = await answering((response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
  );
  expect((await post(port)).body).toEqual(bomb);
});

test('provisional answers are passed over, and where they do not end no more are read', async () => {
  const hint = 'HTTP/1.1 103 Early Hints\r\nlink: </style.css>\r\n\r\n';
  const few = await saying((socket) => {
    socket.end(`${hint.repeat(16)}HTTP/1.1 204 No Content\r\n\r\n`);
  });
  expect(await post(few)).toMatchObject({ status: 204 });
  const endless = await saying((socket) => {
    const more = (failure?: Error | null) => failure ?? socket.write(hint.repeat(1000), more);
    more();
  });
  await expect(post(endless, { timeoutMs: 500 })).rejects.toMatchObject({ kind: 'timeout' });

  const url = new URL(`http://127.0.0.1:${endless}/`);
  const outgoing = guardedRequest(url, { method: 'GET', headers: {}, allowPrivate: true });
  let read = 0;
  outgoing.on('information', () => {
    read += 1;
  });
  outgoing.on('error', () => {}).end();
  await until(() => read > 0);
  await sleep(200);
  outgoing.destroy();
  // What had come with the first of them.
  expect(read * hint.length).toBeLessThanOrEqual(64 * 1024 + hint.length);
});

test('a body that drips or breaks off leaves the status as it came', async () => {
  const timers = jest.spyOn(global, 'setTimeout');
  const timeoutMs = 3_599_999;
  const endTime = () => timers.mock.calls.find(([, ms]) => ms === timeoutMs)?.[0]();
  const dripping = await saying((socket) => {
    const beginning = 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nab';
    // Once it was read: the network has some time to bring it, and a turn of the event loop takes it.
    socket.write(beginning, () => void sleep(50).then(wholeTurn).then(endTime));
  });
  expect(await post(dripping, { timeoutMs })).toMatchObject({
    status: 200,
    body: Buffer.from('ab'),
  });
  const breaking = await saying((socket) => {
    socket.end('HTTP/1.1 500 Oops\r\nContent-Length: 100\r\n\r\ncd');
  });
  expect(await post(breaking)).toMatchObject({ status: 500, body: Buffer.from('cd') });
  const resetting = await saying((socket) => {
    const beginning = 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n';
    socket.write(beginning, async () => {
      await sleep(50);
      await wholeTurn();
      socket.resetAndDestroy();
    });
  });
  expect(await post(resetting)).toMatchObject({ status: 200 });
});

test('nobody listening is a failure of the connection', async () => {
  const port = await answering(() => {});
  await closeServers();
  await expect(post(port)).rejects.toMatchObject({ kind: 'connection' });
});

test('a connection closed without an answer is a failure of the connection, and nothing is sent twice', async () => {
  let requests = 0;
  const port = await saying((socket) => {
    requests += 1;
    socket.destroy();
  });
  await expect(post(port)).rejects.toMatchObject({ kind: 'connection' });
  expect(requests).toBe(1);
});

test('a name without address is a failure of DNS', async () => {
  const url = 'http://nowhere.invalid/';
  await expect(post(0, { url })).rejects.toMatchObject({ kind: 'dns' });
  const guarded = { url: 'https://nowhere.invalid/', allowPrivate: false };
  await expect(post(0, guarded)).rejects.toMatchObject({ kind: 'dns' });
  await expect(post(0, { url, resolve: async () => [] })).rejects.toMatchObject({ kind: 'dns' });
});

test('a resolver that does not answer is a failure of DNS', async () => {
  const failure = { code: 'EAI_AGAIN', syscall: 'getaddrinfo' };
  const resolve = () => Promise.reject(Object.assign(new Error('again'), failure));
  const url = 'http://nowhere.invalid/';
  await expect(post(0, { url, resolve })).rejects.toMatchObject({ kind: 'dns' });
});

test('a certificate that nobody trusts, and no TLS at all, are failures of TLS', async () => {
  const selfSigned = await serve(
    https.createServer(untrusted, (_request, response) => response.end()),
  );
  const plain = await answering((response) => response.end());
  for (const port of [selfSigned, plain]) {
    await expect(
      post(port, { url: `https://localhost:${port}/`, resolve: async () => ['127.0.0.1'] }),
    ).rejects.toMatchObject({ kind: 'tls' });
  }
});

test('a certificate that a trusted authority has made for another purpose is a failure of TLS', async () => {
  const port = await serve(https.createServer(clientsOnly, (_request, response) => response.end()));
  const url = `https://localhost:${port}/`;
  const agent = agentFor(new URL(url), { allowPrivate: true });
  if (!(agent instanceof https.Agent)) throw new Error('It is for TLS');
  agent.options.ca = clientsOnly.cert;
  const cause = expect.objectContaining({ code: 'INVALID_PURPOSE' });
  await expect(post(port, { url })).rejects.toMatchObject({ kind: 'tls', cause });
  agent.options.ca = undefined;
});

test.each<[string, (socket: Socket) => void]>([
  ['silence', () => {}],
  ['a drip', (socket) => drip(socket, 'HTTP/1.1 200 OK\r\nX-Slow: '.padEnd(400, 'z'))],
])('%s times out in all', async (_name, say) => {
  const port = await saying(say);
  await expect(post(port, { timeoutMs: 150 })).rejects.toMatchObject({ kind: 'timeout' });
});

test('a connection that is never made times out', async () => {
  const hanging = () => new Promise<string[]>(() => {});
  await expect(
    post(80, { url: 'http://slow.example/', resolve: hanging, timeoutMs: 50 }),
  ).rejects.toMatchObject({
    kind: 'timeout',
  });
});

test.each([
  ['garbage', 'SSH-2.0-OpenSSH_9.6\r\n'],
  ['headers without end', `HTTP/1.1 200 OK\r\nX-Long: ${'y'.repeat(32 * 1024)}\r\n\r\n`],
  [
    'another protocol',
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
  ],
])('%s is an invalid answer', async (_name, bytes) => {
  const port = await saying((socket) => socket.end(bytes));
  await expect(post(port)).rejects.toMatchObject({ kind: 'invalid_answer' });
});

test('an abort ends the request, before and after it began', async () => {
  const port = await saying(() => {});
  const stop = new AbortController();
  const aborted = expect(post(port, { signal: stop.signal })).rejects.toMatchObject({
    kind: 'aborted',
  });
  setTimeout(() => stop.abort(), 20);
  await aborted;
  await expect(post(port, { signal: stop.signal })).rejects.toMatchObject({ kind: 'aborted' });
});

test('what was answered leaves neither a timer nor a listener behind', async () => {
  const port = await answering((response) => response.end('done'));
  const stop = new AbortController();
  const timeoutMs = 3_599_999;
  const begun = jest.spyOn(global, 'setTimeout');
  const cleared = jest.spyOn(global, 'clearTimeout');
  await post(port, { signal: stop.signal, timeoutMs });
  const place = begun.mock.calls.findIndex(([, ms]) => ms === timeoutMs);
  expect(cleared).toHaveBeenCalledWith(begun.mock.results[place]?.value);
  expect(place).toBeGreaterThanOrEqual(0);
  expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
});

/** One character every few milliseconds, for as long as the connection lasts. */
function drip(socket: Socket, text: string): void {
  let sent = 0;
  const timer = setInterval(() => socket.write(text[sent++] ?? 'z'), 5);
  socket.on('close', () => clearInterval(timer));
}
