import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { setImmediate as turnOfEventLoop } from 'node:timers/promises';
import { addressPrefix, addressSite, isTrustedProxy, parseAddress } from '@/src/api/forwarded';
import { provideEnv } from '@/src/env';
import type { ConnectionLimits } from '@/src/http/connections';
import { connectionLimits, fewFilesWarning } from '@/src/http/limits';
import {
  answerOk,
  boundIdle,
  chunk,
  closeFronts,
  head,
  openPeer,
  serve,
  wideLimits,
} from './front';

afterEach(closeFronts);
afterEach(() => provideEnv({ TRUSTED_PROXIES: '' }));

/** Peers that never close their side: what ends is ended by the service. */
const many = (count: number, open: () => ReturnType<typeof openPeer>) =>
  Promise.all(Array.from({ length: count }, () => open().closed));

/** Of every connection from now on, what resolves when the service has let go of it. */
function endsOf(server: Server): Promise<unknown>[] {
  const ends: Promise<unknown>[] = [];
  server.on('connection', (socket) => ends.push(once(socket, 'close')));
  return ends;
}

async function never(): Promise<void> {}

test.each([
  ['is no HTTP', '\x16\x03\x01 hello\r\n\r\n', 400],
  ['has headers without end', head('GET', `/${'a'.repeat(20_000)}`), 431],
  ['has two lengths', head('POST', '/', 'Content-Length: 1', 'Transfer-Encoding: chunked'), 400],
])(
  'a connection whose request %s is answered and ended, whether its peer leaves or not',
  async (_, bytes, status) => {
    const { port, front } = await serve();
    const ends = endsOf(front.server);
    const closed = many(20, () => openPeer(port, bytes));
    for (const answer of await closed) {
      expect(answer).toMatch(`HTTP/1.1 ${status} `);
      expect(answer).toMatch(/\r\nX-Request-Id: [0-9a-f-]{36}\r\n/);
    }
    expect(ends).toHaveLength(20);
    await Promise.all(ends);
  },
);

test.each([
  ['nothing', ''],
  ['half a head', 'GET / HTTP/1.1\r\nHost: x\r\n'],
])('a connection that has sent %s in time is answered 408 and ended', async (_, bytes) => {
  const { port } = await serve({ limits: { ...wideLimits, headersMs: 50 } });
  for (const answer of await many(10, () => openPeer(port, bytes))) {
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  }
});

test('a body that arrives too slowly is answered 408, however often something arrives', async () => {
  const { port } = await serve({
    handleOther: never,
    limits: { ...wideLimits, bodyMs: 100 },
  });
  const peer = openPeer(port, head('POST', '/sign-in', 'Content-Length: 10000'));
  const drip = setInterval(() => peer.socket.write('x'), 10);
  expect(await peer.closed).toMatch(/^HTTP\/1\.1 408 /);
  clearInterval(drip);
});

test('an upload may take longer, as long as it brings enough', async () => {
  const limits = { ...wideLimits, bodyMs: 1, idleMs: 200, bytesPerSecond: 1000 };
  const { port } = await serve({ handleOther: never, limits });
  const octets = 'Content-Type: application/octet-stream';
  const upload = head('POST', '/api/trpc/uploads.video', octets, 'Transfer-Encoding: chunked');
  const startedAt = performance.now();
  const peer = openPeer(port, upload + chunk('x'));
  const drip = setInterval(() => peer.socket.write(chunk('x')), 10);
  expect(await peer.closed).toMatch(/^HTTP\/1\.1 408 /);
  expect(performance.now() - startedAt).toBeGreaterThan(200);
  clearInterval(drip);
});

describe('an answer that nobody takes', () => {
  const large = Buffer.alloc(32 * 1024 ** 2);
  const handleOther = async (_: unknown, response: ServerResponse) => {
    response.end(large);
  };

  test('ends with its connection', async () => {
    const { port, front } = await serve({ handleOther, limits: { ...wideLimits, idleMs: 100 } });
    const accepted = once(front.server, 'connection');
    const peer = openPeer(port, head('GET', '/'));
    peer.socket.pause();
    const [served] = await accepted;
    await once(served, 'close');
    peer.socket.destroy();
  });

  test('so does one of which a little is taken now and then', async () => {
    const limits = { ...wideLimits, idleMs: 300, bytesPerSecond: 1e9 };
    const { port, front } = await serve({ handleOther, limits });
    const accepted = once(front.server, 'connection');
    const peer = openPeer(port, head('GET', '/'));
    peer.socket.pause();
    const taking = setInterval(() => peer.socket.read(100_000), 20);
    const [served] = await accepted;
    await once(served, 'close');
    clearInterval(taking);
    peer.socket.destroy();
  });

  test('but one that takes the service long is waited for', async () => {
    const idleMs = 3 * wideLimits.checkMs;
    const { front, port } = await serve({
      limits: { ...wideLimits, bodyMs: 1 },
      handleOther: async (request, response) => {
        for (let time = 0; time < 2; time += 1) {
          await once(request.socket, 'timeout');
          // The service sets its own by the end of this turn.
          await turnOfEventLoop();
          request.socket.setTimeout(idleMs);
        }
        await answerOk(request, response);
      },
    });
    boundIdle(front, idleMs);
    expect(await openPeer(port, head('GET', '/')).until(/ok$/)).toMatch(/^HTTP\/1\.1 200 /);
  });
});

test('a connection between requests is kept for a while, and then ended', async () => {
  const limits = { ...wideLimits, keepAliveMs: 100, roomyConnections: 0 };
  const { port } = await serve({ limits });
  const peer = openPeer(port, head('GET', '/a'));
  await peer.until(/ok$/);
  peer.socket.write(head('GET', '/b'));
  const answers = await peer.closed;
  expect(answers.match(/HTTP\/1\.1 200 /g)).toHaveLength(2);
});

test('a connection is kept for half a second more than its client is told, and longer', async () => {
  const { keepAliveMs } = connectionLimits(100);
  const { port } = await serve({ limits: { ...wideLimits, keepAliveMs } });
  const peer = openPeer(port, head('GET', '/a'));
  const [, told] = /^keep-alive: timeout=(\d+)/im.exec(await peer.until(/ok$/)) ?? [];
  peer.socket.destroy();
  expect(keepAliveMs).toBeGreaterThan(Number(told) * 1000 + 500);
});

test('while few are open a connection is kept for its client to end, and then for a while all the same', async () => {
  const limits = { ...wideLimits, keepAliveMs: 100, roomyConnections: 1 };
  const { port } = await serve({ limits });
  const kept = openPeer(port, head('GET', '/a'));
  const told = /\r\nKeep-Alive: timeout=0\r\n/;
  expect(await kept.until(/ok$/)).toMatch(told);
  const ended = openPeer(port, head('GET', '/b'));
  expect(await ended.closed).toMatch(told);
  kept.socket.write(head('GET', '/c'));
  expect((await kept.until(/ok[\s\S]*ok$/)).match(/HTTP\/1\.1 200 /g)).toHaveLength(2);

  const roomy = await serve({ limits: { ...limits, keepAliveMs: 60_000, roomyKeepAliveMs: 50 } });
  expect(await openPeer(roomy.port, head('GET', '/d')).closed).toMatch(/ok$/);
});

describe('a connection of a proxy of ours', () => {
  const [proxy, stranger] = ['10.0.0.1', '192.0.2.1'];
  beforeEach(() => provideEnv({ TRUSTED_PROXIES: proxy }));

  async function serveFrom(addresses: string[], limits: Partial<ConnectionLimits>) {
    const { port, front } = await serve({ limits: { ...wideLimits, ...limits } });
    front.server.prependListener('connection', (socket) => {
      Object.defineProperty(socket, 'remoteAddress', { value: addresses.shift() });
    });
    return port;
  }

  test('is left for the proxy to end, which would else send a request as it ends', async () => {
    const port = await serveFrom([proxy, proxy, stranger], {
      keepAliveMs: 100,
      roomyConnections: 0,
    });
    const kept = openPeer(port, head('GET', '/a'));
    await kept.until(/ok$/);
    // What is answered before all of it is here, too.
    const early = openPeer(port, head('POST', '/api/v1/a', 'Content-Length: 2'));
    await early.until(/ok$/);
    early.socket.write('{}');
    const ended = openPeer(port, head('GET', '/a'));
    await ended.until(/ok$/);
    await ended.closed;
    for (const { socket, until } of [kept, early]) {
      socket.write(head('GET', '/b'));
      expect((await until(/ok[\s\S]*ok$/)).match(/HTTP\/1\.1 200 /g)).toHaveLength(2);
    }
  });

  test('ends in time all the same', async () => {
    const port = await serveFrom([proxy], { keepAliveMs: 60_000, proxyKeepAliveMs: 50 });
    expect(await openPeer(port, head('GET', '/')).closed).toMatch(/ok$/);
  });

  test('is bound like any other once it has begun a request', async () => {
    const port = await serveFrom([proxy], { idleMs: 1_000, headersMs: 60_000 });
    const peer = openPeer(port, head('GET', '/'));
    await peer.until(/ok$/);
    peer.socket.write(head('POST', '/', 'Content-Length: 2'));
    expect(await peer.closed).toMatch(/HTTP\/1\.1 408 /);
  });
});

describe('the number of connections', () => {
  test('is bounded', async () => {
    const limits = { ...wideLimits, connections: 5 };
    const { port, open } = await serve({ limits });
    const peers = Array.from({ length: 5 }, () => openPeer(port, 'G'));
    for (const { socket } of peers) await once(socket, 'connect');
    expect(await openPeer(port, head('GET', '/')).closed).toBe('');
    expect(await open()).toBe(5);
    for (const { socket } of peers) socket.destroy();
  });

  test('is bounded for one address, and a proxy of ours may have more', async () => {
    const limits = { ...wideLimits, connectionsPerAddress: 2 };
    const few = await serve({ limits });
    const ends = endsOf(few.front.server);
    const kept = [openPeer(few.port, head('GET', '/')), openPeer(few.port, head('GET', '/'))];
    for (const peer of kept) await peer.until(/ok$/);
    expect(await openPeer(few.port, head('GET', '/')).closed).toBe('');
    kept[0]?.socket.destroy();
    await ends[0];
    expect(await openPeer(few.port, head('GET', '/')).until(/ok$/)).toMatch(/^HTTP/);

    provideEnv({ TRUSTED_PROXIES: '127.0.0.1' });
    const proxied = await serve({ limits });
    const peers = Array.from({ length: 5 }, () => openPeer(proxied.port, head('GET', '/')));
    for (const peer of peers) expect(await peer.until(/ok$/)).toMatch(/^HTTP/);
  });

  test('is bounded for one IPv6 site, however many of its addresses are used', async () => {
    const limits = { ...wideLimits, connectionsPerAddress: 2 };
    const { port, front } = await serve({ limits });
    const addresses = ['2001:db8:1:1::1', '2001:db8:1:2::1', '2001:db8:1:3::1', '2001:db8:2:1::1'];
    front.server.prependListener('connection', (socket) => {
      Object.defineProperty(socket, 'remoteAddress', { value: addresses.shift() });
    });
    const answers: string[] = [];
    for (let count = 0; count < 4; count += 1) {
      const peer = openPeer(port, head('GET', '/'));
      answers.push(await Promise.race([peer.until(/ok$/), peer.closed]));
    }
    expect(answers.map((answer) => answer.slice(0, 12))).toEqual([
      'HTTP/1.1 200',
      'HTTP/1.1 200',
      '',
      'HTTP/1.1 200',
    ]);
  });

  test.each([
    [4000, 20_000, 4000],
    [4000, 1024, 412],
    [4000, 840, 320],
    [4000, 600, 80],
    [4000, 64, 16],
    [100, Number.POSITIVE_INFINITY, 100],
  ])(
    'of %i wanted with %i open files is %i, so that a first sign-in finds its own',
    (wanted, openFiles, connections) => {
      expect(connectionLimits(wanted, openFiles)).toMatchObject({
        connections,
        connectionsPerAddress: connections / 4,
      });
    },
  );

  test('leaves too few files for a first sign-in below 536, which is told at start', () => {
    expect(fewFilesWarning(535)).toMatch(/^This process may open 535 files, and needs 536: /);
    expect(fewFilesWarning(536)).toBeUndefined();
  });
});

test('TRACE is answered by the API on its paths, and else 405 with our body', async () => {
  const { port } = await serve();
  const ofApi = head('TRACE', '/api/v1/spaces', 'Connection: close');
  expect(await openPeer(port, ofApi).closed).toMatch(/ok$/);
  for (const path of ['/', '/api/trpc/a', '/nowhere', '*', '/%E0%A4%A']) {
    const answer = await openPeer(port, head('TRACE', path, 'Connection: close')).closed;
    expect(answer).toMatch(/^HTTP\/1\.1 405 /);
    expect(answer).toMatch(/\r\nAllow: GET, /);
    expect(answer).toContain('METHOD_NOT_ALLOWED');
  }
});

test.each([
  ['192.0.2.1', '192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::', '2001:db8:1::'],
  ['2001:db8:1:2::1', '2001:db8:1:2::', '2001:db8:1::'],
  ['', 'unknown', 'unknown'],
])('%s is counted as %s, and may be %s', (address, prefix, site) => {
  const parsed = parseAddress(address);
  expect([addressPrefix(parsed), addressSite(parsed)]).toEqual([prefix, site]);
});

test.each([
  '10.0.0.0/8,192.0.2.7,2001:db8::/32',
  '::ffff:10.0.0.0/104,::ffff:192.0.2.7,2001:db8::/32',
])('a proxy of ours, as %s, is known however IPv4 is written', (TRUSTED_PROXIES) => {
  provideEnv({ TRUSTED_PROXIES });
  for (const address of ['10.1.2.3', '::ffff:10.1.2.3', '192.0.2.7', '2001:db8::1']) {
    expect([address, isTrustedProxy(address)]).toEqual([address, true]);
  }
  for (const address of ['11.0.0.1', '192.0.2.8', '2001:db9::1', '', 'unknown']) {
    expect([address, isTrustedProxy(address)]).toEqual([address, false]);
  }
});
