import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { setImmediate as turnOfEventLoop } from 'node:timers/promises';
import { promised } from '../helpers/promised';
import { standStill } from '../helpers/stand-still';
import { answerOk, closeFronts, echo, head, kiB, openPeer, serve, wideLimits } from './front';

afterEach(closeFronts);

const octets = 'Content-Type: application/octet-stream';

describe('what arrived while the process did not run has arrived in time:', () => {
  test.each([
    ['a body', { bodyMs: 200 }, head('POST', '/a', 'Content-Length: 6')],
    [
      'an upload',
      { idleMs: 200 },
      head('POST', '/api/trpc/uploads.video', octets, 'Content-Length: 6'),
    ],
  ])('the rest of %s', async (_, narrow, begun) => {
    const limits = { ...wideLimits, ...narrow };
    const { front, port } = await serve({ handleOther: echo, limits });
    const asked = once(front.server, 'request');
    const peer = openPeer(port, `${begun}abc`);
    await asked;
    peer.socket.write('def');
    standStill(400);
    expect(await peer.until(/}$/)).toMatch(/^HTTP\/1\.1 200 [\s\S]*"body":"abcdef"/);
  });

  test('the rest of a head', async () => {
    const limits = { ...wideLimits, headersMs: 200 };
    const { front, port } = await serve({ limits });
    const accepted = once(front.server, 'connection');
    const bytes = head('GET', '/a');
    const peer = openPeer(port, bytes.slice(0, 10));
    const [socket] = await accepted;
    while (socket.bytesRead < 10) await turnOfEventLoop();
    peer.socket.write(bytes.slice(10));
    standStill(400);
    expect(await peer.until(/ok$/)).toMatch(/^HTTP\/1\.1 200 /);
  });

  test('the next request over a kept connection', async () => {
    const { port } = await serve({
      limits: { ...wideLimits, keepAliveMs: 200, roomyConnections: 0 },
    });
    const peer = openPeer(port, head('GET', '/a'));
    await peer.until(/ok$/);
    // By then the service has begun to count.
    for (let turns = 0; turns < 3; turns += 1) await turnOfEventLoop();
    peer.socket.write(head('GET', '/b'));
    standStill(1_500);
    expect(await peer.until(/ok[\s\S]*ok$/)).toMatch(/^HTTP\/1\.1 200 /);
  });
});

test('a body that waits for us to take more of it is not late', async () => {
  const gate = promised<void>();
  const limits = { ...wideLimits, bodyMs: 100, idleMs: 100, bytesPerSecond: 1e9 };
  let taken: IncomingMessage | undefined;
  const { front, port } = await serve({
    limits,
    handleOther: async (request, response) => {
      taken = request;
      await gate.promise;
      for await (const _ of request);
      await answerOk(request, response);
    },
  });
  const asked = once(front.server, 'request');
  const bytes = 'x'.repeat(128 * kiB);
  const upload = head('POST', '/api/trpc/uploads.video', octets, `Content-Length: ${bytes.length}`);
  const peer = openPeer(port, upload + bytes);
  await asked;
  for (let times = 0; times < 3; times += 1) {
    const [socket] = await once(front.server, 'timeout');
    expect(socket).toBe(taken?.socket);
  }
  gate.resolve();
  expect(await peer.until(/ok$/)).toMatch(/^HTTP\/1\.1 200 /);
});
