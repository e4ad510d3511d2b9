import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { connect, createServer, type Server, type Socket } from 'node:net';
import type { Redis } from 'ioredis';
import { createRequestCounter, type RequestCounter, throughRedis } from '@/src/rate-limit/counter';
import { apiRequestLimit } from '@/src/rate-limit/limits';
import { connectRedis } from '@/src/rate-limit/redis';

/** A Redis server that may be written to; without one, these tests cannot run. */
const url = process.env.TEST_REDIS_URL;

const clients: Redis[] = [];

/** A counter as one instance of the service has it. */
function createInstance(redisUrl: string, commandTimeoutMs?: number): RequestCounter {
  const redis = connectRedis(redisUrl, commandTimeoutMs);
  clients.push(redis);
  return createRequestCounter(apiRequestLimit(), throughRedis(apiRequestLimit(), redis));
}

afterEach(() => {
  for (const redis of clients.splice(0)) redis.disconnect();
});

(url ? describe : describe.skip)('counting in Redis', () => {
  const redisUrl = url ?? '';

  test('is exact across instances, also in parallel', async () => {
    const patientMs = 20_000;
    const [one, two] = [createInstance(redisUrl, patientMs), createInstance(redisUrl, patientMs)];
    const account = randomUUID();
    const counts = await Promise.all(
      Array.from({ length: 1010 }, (_, index) => (index % 2 ? one : two).count(account)),
    );
    expect(counts.filter(({ isExceeded }) => isExceeded)).toHaveLength(10);
    const left = counts.filter(({ isExceeded }) => !isExceeded).map(({ state }) => state.remaining);
    expect(left.sort((a, b) => a - b)).toEqual(Array.from({ length: 1000 }, (_, n) => n));
  });

  test('gives one reset for the window to every answer of an instance', async () => {
    const instance = createInstance(redisUrl);
    const account = randomUUID();
    const before = Date.now();
    const first = await instance.count(account);
    expect(first.state.resetAt).toBeGreaterThanOrEqual(before + 3_599_000);
    expect(first.state.resetAt).toBeLessThanOrEqual(Date.now() + 3_600_000);
    for (let request = 0; request < 50; request += 1) {
      expect((await instance.count(account)).state.resetAt).toBe(first.state.resetAt);
    }
  });

  test('keeps accounts apart', async () => {
    const instance = createInstance(redisUrl);
    await instance.count(randomUUID());
    expect((await instance.count(randomUUID())).state.remaining).toBe(999);
  });

  test('goes on in memory while Redis is away, without a failing request, and returns to it', async () => {
    const link = await openLink(redisUrl);
    const instance = createInstance(link.url);
    const account = randomUUID();
    for (let request = 0; request < 10; request += 1) await instance.count(account);
    link.cut();
    const away = await Promise.all(Array.from({ length: 20 }, () => instance.count(account)));
    // Counted anew: what Redis knows is out of reach.
    expect(away.map(({ state }) => state.remaining).sort((a, b) => b - a)).toEqual(
      Array.from({ length: 20 }, (_, index) => 999 - index),
    );
    const back = new Promise((done) => clients[0]?.once('ready', done));
    await link.restore();
    await back;
    expect((await instance.count(account)).state.remaining).toBe(989);
    await link.close();
  });

  test('while Redis is silent, one request waits for it and the others count in memory at once', async () => {
    const link = await openLink(redisUrl);
    const instance = createInstance(link.url);
    const account = randomUUID();
    await instance.count(account);
    link.hold();
    const { state, isExceeded } = await instance.count(account);
    expect([state.remaining, isExceeded]).toEqual([999, false]);
    const sent = clients[0] && jest.spyOn(clients[0], 'sendCommand');
    const counts = await Promise.all(Array.from({ length: 50 }, () => instance.count(account)));
    expect(counts.at(-1)?.state.remaining).toBe(949);
    expect(sent).not.toHaveBeenCalled();
    await link.close();
  });

  test('comes back to a Redis that was silent, over a new connection where the old one is dead', async () => {
    const link = await openLink(redisUrl);
    const instance = createInstance(link.url);
    const account = randomUUID();
    await instance.count(account);
    link.hold();
    await instance.count(account);
    // The connection held up stays dead; new ones get through.
    for (;;) {
      const { state } = await instance.count(account);
      if (state.remaining === 998) break;
      await new Promise((done) => setTimeout(done, 20));
    }
    await link.close();
  });
});

test('without a Redis that answers from the start, counts in memory', async () => {
  const redis = connectRedis('redis://127.0.0.1:1');
  clients.push(redis);
  const { state } = await createRequestCounter(
    apiRequestLimit(),
    throughRedis(apiRequestLimit(), redis),
  ).count(randomUUID());
  expect(state.remaining).toBe(999);
});

/** A way to Redis that can be cut, restored, and held up. */
async function openLink(redisUrl: string) {
  const { hostname, port } = new URL(redisUrl);
  const sockets = new Set<Socket>();
  const server: Server = createServer((near) => {
    const far = connect(Number(port || 6379), hostname);
    near.pipe(far).pipe(near);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => sockets.delete(socket));
    }
  });
  const listen = (at: number) => new Promise<void>((done) => server.listen(at, '127.0.0.1', done));
  await listen(0);
  const { port: linkPort }: Pick<AddressInfo, 'port'> = server.address() as AddressInfo;
  const cut = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `redis://127.0.0.1:${linkPort}`,
    cut,
    restore: () => listen(linkPort),
    /** Lets nothing through any more, while the connection stands. */
    hold: () => {
      for (const socket of sockets) socket.unpipe().pause();
    },
    close: async () => {
      const closed = new Promise((done) => server.once('close', done));
      cut();
      await closed;
    },
  };
}
