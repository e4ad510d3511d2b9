import { once } from 'node:events';
import { Agent, createServer, request as httpRequest } from 'node:http';
import { setImmediate as turnOfEventLoop } from 'node:timers/promises';
import { provideEnv } from '@/src/env';
import { boundConnections } from '@/src/http/connections';
import type { Front } from '@/src/http/front';
import { wholeTurn } from '@/src/http/stop-listening';
import { listen } from '../helpers/listening';
import { promised } from '../helpers/promised';
import { standStill } from '../helpers/stand-still';
import { answerOk, closeFronts, head, kiB, openPeer, serve, wideLimits } from './front';

afterEach(closeFronts);

/** Asks again and again over one connection that it keeps. Returns why it could not go on. */
async function keepAsking(port: number, answered: () => void): Promise<string> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    for (;;) {
      await new Promise<void>((done, fail) => {
        const request = httpRequest({ port, agent, host: '127.0.0.1' }, (response) => {
          response.resume().once('end', done);
        });
        request.once('error', fail);
        request.end();
      });
      answered();
    }
  } catch (error) {
    return String(error);
  } finally {
    agent.destroy();
  }
}

/** Until nobody new is let in: from then on every answer says that its connection ends. */
async function untilDeaf({ server }: Front): Promise<void> {
  while (server.listening) await turnOfEventLoop();
}

test('under load, every request that was taken is answered, and none is cut off', async () => {
  let requests = 0;
  const { front, port } = await serve({
    handleOther: (request, response) => {
      requests += 1;
      return answerOk(request, response);
    },
  });
  let answers = 0;
  let stopped: Promise<void> | undefined;
  const ends = Array.from({ length: 20 }, () =>
    keepAsking(port, () => {
      answers += 1;
      if (answers === 500) stopped = front.stop();
    }),
  );
  // Nobody listens any more: that is what a client may meet, and nothing else.
  for (const end of await Promise.all(ends)) expect(end).toMatch('connect ECONNREFUSED');
  await stopped;
  expect(answers).toBe(requests);
  expect(answers).toBeLessThan(2_000);
});

test('who waits at the port when it begins to stop is let in and answered', async () => {
  const { front, port } = await serve();
  const first = openPeer(port, head('GET', '/'));
  await first.until(/ok$/);
  // The system has taken them before the server looks again.
  const waiting = Array.from({ length: 10 }, () => openPeer(port, head('GET', '/')));
  await front.stop();
  for (const peer of waiting) expect(await peer.closed).toMatch(/ok$/);
});

test('so is who waits while this process is too busy for more than a few turns', async () => {
  const { front, port } = await serve();
  const first = openPeer(port, head('GET', '/'));
  await first.until(/ok$/);
  front.server.on('connection', () => standStill(60));
  const waiting = Array.from({ length: 10 }, () => openPeer(port, head('GET', '/')));
  await front.stop();
  for (const peer of waiting) expect(await peer.closed).toMatch(/ok$/);
});

test('what comes before the last listener stops waits for that, and is then sent away', async () => {
  let requests = 0;
  const { front, port } = await serve({
    handleOther: (request, response) => {
      requests += 1;
      return answerOk(request, response);
    },
  });
  const kept = openPeer(port, head('GET', '/a'));
  await kept.until(/ok$/);
  const { promise: haveStopped, resolve: end } = promised<void>();
  const stopped = front.stop({ turn: wholeTurn, haveStopped: () => haveStopped });
  await untilDeaf(front);
  const asked = once(front.server, 'request');
  kept.socket.write(head('GET', '/b'));
  await asked;
  await wholeTurn();
  expect(requests).toBe(1);
  end();
  expect(await kept.closed).toMatch(/\r\nConnection: close\r\n.*ok$/is);
  expect(requests).toBe(2);
  await stopped;
});

test('an answer under way goes out, and says that the connection ends', async () => {
  const gate = promised<void>();
  const { front, port } = await serve({
    handleOther: async (request, response) => {
      await gate.promise;
      await answerOk(request, response);
    },
  });
  const peer = openPeer(port, head('GET', '/'));
  await once(front.server, 'request');
  const stopped = front.stop();
  await untilDeaf(front);
  gate.resolve();
  expect(await peer.closed).toMatch(/^HTTP\/1\.1 200 OK\r\nConnection: close\r\n/i);
  await stopped;
});

test('a kept connection may send one more request, and is then told that it ends', async () => {
  const { front, port } = await serve();
  const peer = openPeer(port, head('GET', '/a'));
  await peer.until(/ok$/);
  const stopped = front.stop();
  await untilDeaf(front);
  peer.socket.write(head('GET', '/b'));
  const answers = (await peer.closed).split(/(?=HTTP\/1\.1)/);
  expect(answers.map((answer) => /\r\nConnection: ([\w-]+)\r\n/i.exec(answer)?.[1])).toEqual([
    'keep-alive',
    'close',
  ]);
  await stopped;
});

test('connections that ask for nothing hold nobody up', async () => {
  const { front, port } = await serve();
  const silent = openPeer(port);
  const half = openPeer(port, 'GET / HTTP/1.1\r\n');
  const kept = openPeer(port, head('GET', '/'));
  await kept.until(/ok$/);
  await front.stop();
  await Promise.all([silent.closed, half.closed, kept.closed]);
});

test('nor does a proxy that still sends an upload which was refused', async () => {
  provideEnv({ TRUSTED_PROXIES: '127.0.0.1' });
  const { front, port } = await serve({ limits: { ...wideLimits, leftoverBytes: 256 * kiB } });
  const peer = openPeer(port, head('POST', '/docs', 'Content-Length: 400000000'));
  const send = () => peer.socket.write(Buffer.alloc(64 * kiB), (error) => error ?? send());
  send();
  await peer.until(/413/);
  while (peer.socket.bytesWritten < 8192 * kiB) await turnOfEventLoop();
  await front.stop();
  expect(peer.socket.bytesWritten).toBeLessThan(100_000 * kiB);
  provideEnv({ TRUSTED_PROXIES: '' });
});

test('a connection is idle once it has brought nothing between two looks', async () => {
  const server = createServer(answerOk);
  const { closeIdle } = boundConnections(server, wideLimits);
  try {
    const port = await listen(server);
    const accepted = once(server, 'connection');
    const peer = openPeer(port);
    const [socket] = await accepted;
    closeIdle();
    expect(socket.destroyed).toBe(false);
    peer.socket.write(head('GET', '/'));
    await peer.until(/ok$/);
    closeIdle();
    expect(socket.destroyed).toBe(false);
    for (; !socket.destroyed; await turnOfEventLoop()) closeIdle();
  } finally {
    server.close();
  }
});

test('a connection with a request under way is not idle, however long it brings nothing', async () => {
  const server = createServer();
  const { begin, closeIdle } = boundConnections(server, wideLimits);
  const begun = once(server.on('request', begin), 'request');
  try {
    const peer = openPeer(await listen(server), head('GET', '/'));
    const [, response] = await begun;
    for (let look = 0; look < 3; look += 1) closeIdle();
    response.end('ok');
    expect(await peer.until(/ok$/)).toMatch(/^HTTP\/1\.1 200 /);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
