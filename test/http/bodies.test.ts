import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { provideEnv } from '@/src/env';
import { promised } from '../helpers/promised';
import {
  answerOk,
  boundIdle,
  chunk,
  closeFronts,
  echo,
  head,
  kiB,
  lastChunk,
  openPeer,
  type Peer,
  serve,
  wideLimits,
} from './front';

afterEach(closeFronts);

const chunked = 'Transfer-Encoding: chunked';
const octets = 'Content-Type: application/octet-stream';

test.each([
  ['/api/auth/sign-out', '64 KiB', 64 * kiB],
  ['/api/trpc/spaces.create', '1 MiB', 1024 * kiB],
  ['/sign-in', '16 KiB', 16 * kiB],
  ['/api/v1foo', '16 KiB', 16 * kiB],
])(
  'a chunked body to %s is answered 413 above %s, and no handler sees it',
  async (path, size, cap) => {
    const handleOther = jest.fn(echo);
    const { port } = await serve({ handleOther });
    const part = chunk('x'.repeat(16 * kiB));
    const { until } = openPeer(port, head('POST', path, chunked) + part.repeat(cap / kiB / 16 + 1));
    // It would have gone on for ever.
    const answer = await until(/\}$/);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain('PAYLOAD_TOO_LARGE');
    expect(answer).toContain(`larger than ${size}`);
    expect(handleOther).not.toHaveBeenCalled();
  },
);

test('a Content-Length above the cap is answered 413 before any of the body', async () => {
  const handleOther = jest.fn(echo);
  const { port } = await serve({ handleOther });
  const promise = `Content-Length: ${64 * kiB + 1}`;
  const { until } = openPeer(port, head('POST', '/api/auth/sign-in/email', promise));
  expect(await until(/\}$/)).toMatch(/^HTTP\/1\.1 413 /);
  expect(handleOther).not.toHaveBeenCalled();
});

test('a client that has sent too much reads the 413, and may go on with its connection', async () => {
  const { port } = await serve({ handleOther: echo });
  const peer = openPeer(port, head('POST', '/sign-in', chunked));
  for (let sent = 0; sent < 4096; sent += 64) peer.socket.write(chunk('x'.repeat(64 * kiB)));
  peer.socket.write(lastChunk + head('GET', '/next', 'Connection: close'));
  const answers = await peer.closed;
  expect(answers).toMatch(/^HTTP\/1\.1 413 /);
  expect(answers).toContain('"url":"/next"');
});

test.each([
  ['counted while it came', head('POST', '/sign-in', chunked)],
  ['announced', head('POST', '/sign-in', `Content-Length: ${64 * 1024 * kiB}`)],
])('of a body that was refused, %s, the rest is taken a little at a time', async (_, start) => {
  const limits = { ...wideLimits, leftoverPaceMs: 60_000 };
  const { front, port } = await serve({ limits });
  const accepted = once(front.server, 'connection');
  const peer = openPeer(port, start);
  const [socket] = await accepted;
  for (let sent = 0; sent < 16; sent += 1) peer.socket.write(chunk('x'.repeat(1024 * kiB)));
  expect(await peer.until(/\}$/)).toMatch(/^HTTP\/1\.1 413 /);
  // Time enough for all of it, if somebody took it.
  for (let turn = 0; turn < 20; turn += 1) {
    await openPeer(port, head('GET', '/', 'Connection: close')).closed;
  }
  expect(socket.bytesRead).toBeLessThan(1024 * kiB);
  peer.socket.destroy();
});

test('the leftovers of many bodies that were refused are taken no faster than those of a few', async () => {
  const [pieceKiB, restKiB, leftoverPaceMs] = [256, 512, 20];
  const limits = {
    ...wideLimits,
    leftoverBytes: restKiB * kiB,
    leftoversAtOnce: 1,
    leftoverPaceMs,
  };
  const { port } = await serve({ limits });
  const begunAt = performance.now();
  await Promise.all(Array.from({ length: 20 }, () => pushWithoutEnd(port, '/docs')));
  // Each piece is smaller than that, so it took longer than this, and on a slow machine still more.
  expect(performance.now() - begunAt).toBeGreaterThan(20 * (restKiB / pieceKiB) * leftoverPaceMs);
});

test('of more bodies that were refused than may have a rest, the first is cut off', async () => {
  // Nothing else ends one of them meanwhile.
  const hour = 3_600_000;
  const limits = { ...wideLimits, leftovers: 2, leftoverPaceMs: hour, bodyMs: hour, idleMs: hour };
  const { port } = await serve({ limits });
  const announced = head('POST', '/sign-in', `Content-Length: ${1024 * kiB}`);
  const peers: Peer[] = [];
  for (let count = 0; count < 3; count += 1) {
    const peer = openPeer(port, announced);
    peers.push(peer);
    await peer.until(/\}$/);
  }
  const [first, ...others] = peers;
  expect(await first?.closed).toMatch(/^HTTP\/1\.1 413 /);
  expect(others.map(({ socket }) => socket.readableEnded)).toEqual([false, false]);
});

test('a chunked body within the cap is handed on whole, as one with a length', async () => {
  const { port } = await serve({ handleOther: echo });
  const bytes = chunk('{"a":') + chunk('1}') + lastChunk;
  const { closed } = openPeer(
    port,
    head('POST', '/api/trpc/a?b=c', chunked, 'Connection: close') + bytes,
  );
  const [, body = ''] = (await closed).split('\r\n\r\n');
  expect(body).toContain(
    '{"method":"POST","url":"/api/trpc/a?b=c","length":"7","body":"{\\"a\\":1}"}',
  );
});

test('an upload is handed on while it arrives, and is asked for no faster than it is taken', async () => {
  const total = 48 * 1024 * kiB;
  const received = promised<IncomingMessage>();
  const gate = promised<void>();
  const { port } = await serve({
    handleOther: async (request, response) => {
      if (request.method === 'GET') return answerOk(request, response);
      received.resolve(request);
      await gate.promise;
      let size = 0;
      for await (const part of request) size += part.length;
      response.end(`${size} bytes`);
    },
  });
  const peer = openPeer(
    port,
    head('POST', '/api/trpc/uploads.video', octets, chunked, 'Connection: close'),
  );
  const part = chunk('x'.repeat(64 * kiB));
  for (let sent = 0; sent < total; sent += 64 * kiB) peer.socket.write(part);
  peer.socket.write(lastChunk);
  const request = await received.promise;
  // Time enough for all of it, if somebody took it.
  for (let turn = 0; turn < 20; turn += 1) {
    await openPeer(port, head('GET', '/', 'Connection: close')).closed;
  }
  expect(request.socket.bytesRead).toBeLessThan(1024 * kiB);
  gate.resolve();
  expect(await peer.closed).toContain(`${total} bytes`);
});

test('what its connection brought before gives an upload no more time', async () => {
  const { port } = await serve({
    // Of the second the body never ends.
    handleOther: async (request, response) => {
      for await (const _ of request);
      await answerOk(request, response);
    },
    limits: { ...wideLimits, bodyMs: 1, idleMs: 500, bytesPerSecond: kiB },
  });
  const first = 'x'.repeat(1024 * kiB);
  const upload = (...more: string[]) => head('POST', '/api/trpc/uploads.video', octets, ...more);
  const peer = openPeer(port, `${upload(`Content-Length: ${first.length}`)}${first}`);
  await peer.until(/ok$/);
  peer.socket.write(upload(chunked) + chunk('x'));
  const drip = setInterval(() => peer.socket.write(chunk('x')), 10);
  expect(await peer.closed).toMatch(/ok.*HTTP\/1\.1 408 /s);
  clearInterval(drip);
});

test('an upload that says to be larger than any may be is answered 413', async () => {
  const { port } = await serve({ handleOther: echo });
  const promise = `Content-Length: ${501 * kiB * kiB}`;
  const { until } = openPeer(port, head('POST', '/api/trpc/uploads.video', octets, promise));
  expect(await until(/\}$/)).toContain('larger than 500 MiB');
});

test('a body that stands still is answered 408, also where more is expected than 100-continue', async () => {
  const { front, port } = await serve({ handleOther: echo });
  boundIdle(front, 50);
  for (const more of [[], ['Expect: banana']]) {
    const peer = openPeer(port, `${head('POST', '/docs', 'Content-Length: 100', ...more)}five!`);
    const answer = await peer.closed;
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(answer).toContain('too long to arrive');
  }
});

test.each([
  ['no host', 'GET / HTTP/1.1\r\n\r\n', 400],
  ['two hosts', 'GET / HTTP/1.1\r\nHost: a.example\r\nhost: b.example\r\n\r\n', 400],
  ['no host, as HTTP/1.0 may', 'GET / HTTP/1.0\r\n\r\n', 200],
])('a request that names %s (RFC 9112, section 3.2)', async (_, bytes, status) => {
  const { port } = await serve();
  const answer = await openPeer(port, bytes).until(/(?:\}|ok)$/);
  expect(answer).toMatch(`HTTP/1.1 ${status} `);
  if (status === 400) expect(answer).toMatch(/X-Request-Id: [0-9a-f-]{36}\r\n.*VALIDATION_ERROR/s);
});

test('what a request expects beside 100-continue is passed over', async () => {
  const { port } = await serve({ handleOther: echo });
  const request = head('POST', '/api/auth/sign-in/email', 'Expect: banana', 'Content-Length: 4');
  expect(await openPeer(port, `${request}body`).until(/"body"\}$/)).toMatch(/^HTTP\/1\.1 200 /);
});

/** Sends a body without end, and reads nothing. Resolves with the bytes sent, once it is cut off. */
async function pushWithoutEnd(port: number, path: string): Promise<number> {
  const { socket } = openPeer(port, head('POST', path, chunked));
  const part = chunk('x'.repeat(64 * kiB));
  let isClosed = false;
  const closed = new Promise<void>((done) => {
    socket.once('close', () => {
      isClosed = true;
      done();
    });
  });
  while (!isClosed) {
    if (!socket.write(part))
      await Promise.race([new Promise((done) => socket.once('drain', done)), closed]);
    else await new Promise((done) => setImmediate(done));
  }
  return socket.bytesWritten;
}

test.each([['/api/auth/sign-out'], ['/docs'], ['/api/v1/spaces']])(
  'who goes on sending to %s after the answer is cut off',
  async (path) => {
    const limits = { ...wideLimits, leftoverBytes: 256 * kiB };
    const { port, open } = await serve({ limits });
    await pushWithoutEnd(port, path);
    expect(await open()).toBe(0);
  },
);

test('who has sent all of a body that was refused keeps the connection', async () => {
  const { port } = await serve({ limits: { ...wideLimits, leftoverBytes: 256 * kiB } });
  const part = chunk('x'.repeat(16 * kiB));
  const peer = openPeer(port, head('POST', '/docs', chunked) + part.repeat(10) + lastChunk);
  expect(await peer.until(/\}$/)).toMatch(/^HTTP\/1\.1 413 /);
  peer.socket.write(head('GET', '/docs'));
  expect(await peer.until(/ok$/)).toContain('HTTP/1.1 200 ');
});

describe('a proxy that looks for an answer once all is sent', () => {
  afterEach(() => provideEnv({ TRUSTED_PROXIES: '' }));

  test.each([
    ['reads it where TRUSTED_PROXIES has it', '127.0.0.1', 'HTTP/1.1 200 '],
    ['is cut off where nobody knows it', '203.0.113.9', ''],
  ])('%s', async (_, trusted, then) => {
    provideEnv({ TRUSTED_PROXIES: trusted });
    const { port } = await serve({ limits: { ...wideLimits, leftoverBytes: 256 * kiB } });
    const bytes = 2048 * kiB;
    const peer = openPeer(port, head('POST', '/docs', `Content-Length: ${bytes}`));
    peer.socket.write(Buffer.alloc(bytes));
    peer.socket.write(head('GET', '/docs'));
    if (then) expect(await peer.until(/ok$/)).toContain(then);
    else expect(await peer.closed).not.toContain('HTTP/1.1 200 ');
  });
});

describe('Next is not told of a server action, of which no page has one', () => {
  const form = 'Content-Type: multipart/form-data; boundary=x';

  test.each([
    ['/sign-in', undefined],
    ['/_next/nothing', undefined],
    ['/api/nothing', 'multipart/form-data; boundary=x'],
  ])('%s', async (path, type) => {
    const seen: IncomingMessage['headers'][] = [];
    const { port } = await serve({
      handleOther: async (request, response) => {
        seen.push(request.headers);
        return answerOk(request, response);
      },
    });
    const peer = openPeer(port);
    for (const body of ['', 'abc']) {
      const length = `Content-Length: ${body.length}`;
      peer.socket.write(head('POST', path, 'Next-Action: 1', form, length) + body);
    }
    await peer.until(/ok.*ok$/s);
    expect(seen.map((headers) => headers['next-action'])).toEqual([undefined, undefined]);
    expect(seen.map((headers) => headers['content-type'])).toEqual([type, type]);
    expect(seen.map((headers) => headers['content-length'])).toEqual(['0', '3']);
  });
});

test.each([
  ['chunked', 'HTTP/1.1 200 OK'],
  ['Chunked', 'HTTP/1.1 200 OK'],
  ['gzip, chunked', 'HTTP/1.1 501 Not Implemented'],
  ['gzip\r\nTransfer-Encoding: chunked', 'HTTP/1.1 501 Not Implemented'],
])('a body sent as "Transfer-Encoding: %s" is answered %s', async (codings, status) => {
  const { port } = await serve();
  const body = `${chunk('{}')}0\r\n\r\n`;
  const peer = openPeer(
    port,
    head('POST', '/api/v1/spaces', `Transfer-Encoding: ${codings}`, 'Connection: close') + body,
  );
  expect((await peer.closed).split('\r\n')[0]).toBe(status);
});
