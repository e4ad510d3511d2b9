import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { answerOk, closeFronts, head, openPeer, serve } from './front';

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

test('nobody is told that a connection ends while a new one would still be taken', async () => {
  const listensAsItSays: boolean[] = [];
  const { front, port } = await serve({
    handleOther: (request, response) => {
      const isLast = response.getHeader('Connection') === 'close';
      if (isLast) listensAsItSays.push(front.server.listening);
      return answerOk(request, response);
    },
  });
  const peer = openPeer(port, head('GET', '/a'));
  await peer.until(/ok$/);
  const stopped = front.stop();
  // Until it is told so, it goes on.
  const asking = setInterval(() => peer.socket.write(head('GET', '/b')), 1);
  peer.socket.write(head('GET', '/b'));
  await peer.closed;
  clearInterval(asking);
  expect(listensAsItSays).toEqual([false]);
  await stopped;
});

test('an answer under way goes out, and says that the connection ends', async () => {
  let go = () => {};
  const gate = new Promise<void>((done) => {
    go = done;
  });
  const { front, port } = await serve({
    handleOther: async (request, response) => {
      await gate;
      await answerOk(request, response);
    },
  });
  const peer = openPeer(port, head('GET', '/'));
  await once(front.server, 'request');
  const stopped = front.stop();
  while (front.server.listening) await nextTurn();
  go();
  expect(await peer.closed).toMatch(/^HTTP\/1\.1 200 OK\r\nConnection: close\r\n/i);
  await stopped;
});

test('a kept connection may send one more request, and is then told that it ends', async () => {
  const { front, port } = await serve();
  const peer = openPeer(port, head('GET', '/a'));
  await peer.until(/ok$/);
  const stopped = front.stop();
  while (front.server.listening) await nextTurn();
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
