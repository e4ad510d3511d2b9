import http from 'node:http';
import type { Socket } from 'node:net';
import { sendOutbound } from '@/src/outbound/send';
import { promised } from '../helpers/promised';
import { closeServers, serve } from './servers';

afterEach(closeServers);

function post(port: number, { timeoutMs = 60_000 } = {}) {
  const url = `http://127.0.0.1:${port}/in`;
  return sendOutbound({ url, headers: {}, body: 'a', timeoutMs, keepBytes: 9, allowPrivate: true });
}

test('connections are kept, and one that was closed meanwhile costs no failure', async () => {
  let connections = 0;
  let isClosing = false;
  const server = http.createServer((request, response) => {
    if (isClosing) request.socket.destroy();
    else response.end('ok');
    isClosing = false;
  });
  server.on('connection', () => {
    connections += 1;
  });
  const port = await serve(server);
  await post(port);
  await post(port);
  expect(connections).toBe(1);
  isClosing = true;
  expect(await post(port)).toMatchObject({ status: 200 });
  expect(connections).toBe(2);
});

test('nor do several that were closed together, and nothing is sent three times', async () => {
  const used = new Set<Socket>();
  const held: (() => void)[] = [];
  let sent = 0;
  const server = http.createServer(({ socket }, response) => {
    sent += 1;
    if (used.has(socket)) return socket.destroy();
    used.add(socket);
    held.push(() => response.end('ok'));
    // None before all are there, so that each has a connection of its own.
    if (used.size >= 3) for (const answer of held.splice(0)) answer();
  });
  const port = await serve(server);
  await Promise.all([post(port), post(port), post(port)]);
  expect(await post(port)).toMatchObject({ status: 200 });
  expect([used.size, sent]).toEqual([4, 5]);
});

test('one on which more comes than was asked for is kept no longer', async () => {
  const left = promised<void>();
  const server = http.createServer(({ socket }, response) => {
    const drip = setInterval(() => socket.write('.'), 10);
    socket.on('close', () => {
      clearInterval(drip);
      left.resolve();
    });
    response.end('ok');
  });
  expect(await post(await serve(server))).toMatchObject({ status: 200 });
  await left.promise;
});

test('the time of a request is that of both its connections', async () => {
  let requests = 0;
  const hour = 3_600_000;
  const port = await serve(
    http.createServer((request, response) => {
      requests += 1;
      if (requests === 1) return response.end('ok');
      if (requests > 2) return;
      // The kept connection is closed when the time is over; the new one would be silent.
      const now = performance.now() + 2 * hour;
      jest.spyOn(performance, 'now').mockImplementation(() => now);
      request.socket.destroy();
    }),
  );
  await post(port);
  await expect(post(port, { timeoutMs: hour })).rejects.toMatchObject({ kind: 'timeout' });
  jest.restoreAllMocks();
});
