import { randomUUID } from 'node:crypto';
import { createServer } from 'node:net';
import type { Redis } from 'ioredis';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { log } from '@/src/logging/log';
import { createCircuit } from '@/src/rate-limit/circuit';
import { createRequestCounter, type RequestCounter, throughRedis } from '@/src/rate-limit/counter';
import { apiRequestLimit } from '@/src/rate-limit/limits';
import { connectRedis } from '@/src/rate-limit/redis';
import { openFaultyPath } from '../helpers/faulty-path';
import { logLines } from '../helpers/log-lines';
import { promised } from '../helpers/promised';
import { createRedisServer, loaded } from '../helpers/redis-server';
import { closeServers, serve } from '../outbound/servers';

/** A Redis server that may be written to; without one, these tests cannot run. */
const url = process.env.TEST_REDIS_URL;

const clients: Redis[] = [];

/**
 * A counter as one instance of the service has it; but a Redis that says nothing is given up only where
 * a test is about that: on a crowded machine this process may read an answer as late.
 */
function createInstance(redisUrl: string, { givesUp = false } = {}): RequestCounter {
  const redis = connectRedis(redisUrl, givesUp ? undefined : 60_000);
  clients.push(redis);
  return createRequestCounter(apiRequestLimit(), throughRedis(apiRequestLimit(), redis));
}

afterEach(() => {
  for (const redis of clients.splice(0)) redis.disconnect();
});

(url ? describe : describe.skip)('counting in Redis', () => {
  const redisUrl = url ?? '';

  test('is exact across instances, also in parallel', async () => {
    const [one, two] = [createInstance(redisUrl), createInstance(redisUrl)];
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
    expect(first.state.resetAt).toBeLessThanOrEqual(Date.now() + 3_601_000);
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
    const path = await openFaultyPath(redisUrl, 6379);
    const instance = createInstance(path.url);
    const account = randomUUID();
    for (let request = 0; request < 10; request += 1) await instance.count(account);
    path.withdraw();
    const away = await Promise.all(Array.from({ length: 20 }, () => instance.count(account)));
    // Counted anew: what Redis knows is out of reach.
    expect(away.map(({ state }) => state.remaining).sort((a, b) => b - a)).toEqual(
      Array.from({ length: 20 }, (_, index) => 999 - index),
    );
    const back = new Promise((done) => clients[0]?.once('ready', done));
    await path.restore();
    await back;
    expect((await instance.count(account)).state.remaining).toBe(989);
    await path.close();
  });

  test('while Redis is silent, one request waits for it and the others count in memory at once', async () => {
    const path = await openFaultyPath(redisUrl, 6379);
    const instance = createInstance(path.url, { givesUp: true });
    const account = randomUUID();
    await instance.count(account);
    // It is not yet time to ask whether Redis is back, however long what follows takes.
    const now = performance.now();
    jest.spyOn(performance, 'now').mockReturnValue(now);
    path.swallow();
    const { state, isExceeded } = await instance.count(account);
    expect([state.remaining, isExceeded]).toEqual([999, false]);
    const sent = clients[0] && jest.spyOn(clients[0], 'sendCommand');
    const counts = await Promise.all(Array.from({ length: 50 }, () => instance.count(account)));
    expect(counts.at(-1)?.state.remaining).toBe(949);
    expect(sent).not.toHaveBeenCalled();
    await path.close();
  });

  test('comes back to a Redis that was silent, over a new connection where the old one is dead', async () => {
    const path = await openFaultyPath(redisUrl, 6379);
    const instance = createInstance(path.url, { givesUp: true });
    const account = randomUUID();
    // Far from what is counted in memory meanwhile.
    await Promise.all(Array.from({ length: 700 }, () => instance.count(account)));
    path.swallow();
    let isBack = false;
    clients[0]?.once('ready', () => {
      isBack = true;
    });
    // The connection held up stays dead; new ones get through.
    let remaining: number;
    do {
      await new Promise((done) => setTimeout(done, 20));
      ({ remaining } = (await instance.count(account)).state);
    } while (remaining >= 300);
    expect(isBack).toBe(true);
    await path.close();
  });
});

const refusal = "-READONLY You can't write against a read only replica.";

/** Counts as `written` says, on the connection of that number; cuts it off where that says nothing. */
function serveRedis(written: (connection: number) => string | undefined) {
  const server = createRedisServer((command, connection) => {
    const answer = written(connection);
    if (answer === undefined || /^eval(?:sha)?$/.test(command)) return answer;
    if (command === 'info') return loaded;
    return command === 'set' && answer === refusal ? refusal : '+OK';
  });
  let connections = 0;
  server.on('connection', () => {
    connections += 1;
  });
  return { port: serve(server), connections: () => connections };
}

test('that Redis answers again is told after its failure, whose reason is asked for first', async () => {
  const told = logLines('warn', 'info');
  const { port } = serveRedis((connection) => (connection === 0 ? undefined : '+OK'));
  createInstance(`redis://127.0.0.1:${await port}`);
  while (told.length < 2) await new Promise((done) => setTimeout(done, 20));
  expect(told.map((words) => words.at(-1))).toEqual([
    'redis failed; counting in memory',
    'redis answers again',
  ]);
  await closeServers();
});

describe('without a Redis that answers from the start, counts in memory', () => {
  const others = ['nextTick', 'performance', 'Date', 'setImmediate', 'setInterval'] as const;
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: [...others] });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  test('at once where it is not there', async () => {
    const { state } = await createInstance('redis://127.0.0.1:1').count(randomUUID());
    expect(state.remaining).toBe(999);
  });

  test('at once where it closes each connection, and tells why it does', async () => {
    const told = jest.spyOn(log(), 'warn').mockReturnValue();
    const refusing = createServer((socket) =>
      socket.on('error', () => {}).end('-ERR max number of clients reached\r\n'),
    );
    const port = await serve(refusing);
    const { state } = await createInstance(`redis://127.0.0.1:${port}`).count(randomUUID());
    expect(state.remaining).toBe(999);
    while (!told.mock.calls.some(([, message]) => String(message).startsWith('redis failed'))) {
      await new Promise((done) => setImmediate(done));
    }
    expect(told.mock.calls.map(([fields]) => fields)).toContainEqual(
      expect.objectContaining({ refusal: 'ERR max number of clients reached' }),
    );
    await closeServers();
  });

  test('after three seconds where it says nothing', async () => {
    const silent = createServer();
    const port = await serve(silent);
    const counted = createInstance(`redis://127.0.0.1:${port}`).count(randomUUID());
    await jest.advanceTimersByTimeAsync(3_000);
    expect((await counted).state.remaining).toBe(999);
    await closeServers();
  });
});

describe('a Redis that answers and takes no writes', () => {
  /** One request after the other, until `isOver` says so. */
  async function countUntil(instance: RequestCounter, isOver: (remaining: number) => boolean) {
    while (!isOver((await instance.count('account')).state.remaining)) {
      await new Promise((done) => setTimeout(done, 20));
    }
  }

  afterEach(closeServers);

  test('is left for the one that its name leads to now', async () => {
    const { port } = serveRedis((connection) =>
      connection === 0 ? refusal : '*2\r\n:900\r\n:3600000',
    );
    const instance = createInstance(`redis://127.0.0.1:${await port}`);
    await countUntil(instance, (remaining) => remaining === 100);
  });

  test('is asked a second after it failed, and once a second, whether it takes them again', async () => {
    jest.spyOn(log(), 'warn').mockReturnValue();
    const { port } = serveRedis(() => refusal);
    const instance = createInstance(`redis://127.0.0.1:${await port}`);
    const asked =
      clients[0] && jest.spyOn(clients[0], 'set').mockReturnValue(new Promise(() => {}));
    let present = performance.now();
    jest.spyOn(performance, 'now').mockImplementation(() => present);
    await instance.count('account');
    const times: (number | undefined)[] = [];
    for (const passedMs of [999, 1, 999, 1]) {
      present += passedMs;
      for (let request = 0; request < 5; request += 1) await instance.count('account');
      times.push(asked?.mock.calls.length);
    }
    expect(times).toEqual([0, 1, 1, 2]);
  });

  test('is told of by what it refused, where it throws a transaction away, and that it counts again', async () => {
    const told = logLines('warn', 'info');
    let isFull = true;
    const server = createRedisServer((command) => {
      if (command === 'info') return loaded;
      if (command === 'exec') return isFull ? '-EXECABORT previous errors' : '*2\r\n$-1\r\n:-2';
      return command === 'pttl' && isFull ? '-OOM command not allowed' : '+OK';
    });
    const instance = createInstance(`redis://127.0.0.1:${await serve(server)}`);
    await instance.read('account');
    isFull = false;
    while (told.length < 2) {
      await new Promise((done) => setTimeout(done, 20));
      await instance.read('account');
    }
    expect(told).toEqual([
      [
        { err: expect.objectContaining({ message: 'OOM command not allowed' }), times: 1 },
        'redis does not count; counting in memory',
      ],
      ['redis counts again'],
    ]);
  });

  test('is not told to count again by the answer to what was asked before it failed', async () => {
    const told = logLines('warn', 'info');
    const redis = connectRedis(`redis://127.0.0.1:${await serveRedis(() => refusal).port}`);
    clients.push(redis);
    const of = { points: 1, duration: 1 };
    const [shared, fallback] = [new RateLimiterMemory(of), new RateLimiterMemory(of)];
    const through = createCircuit({ redis, shared, fallback });
    const answer = promised<void>();
    const asked = through(() => answer.promise);
    await through(async (limiter) => {
      if (limiter === shared) throw new Error('Command timed out');
    });
    answer.resolve();
    await asked;
    expect(told.map((words) => words.at(-1))).toEqual(['redis does not count; counting in memory']);
  });

  test('is told of once, however often it is asked again', async () => {
    const told = jest.spyOn(log(), 'warn').mockReturnValue();
    const { port, connections } = serveRedis(() => refusal);
    const instance = createInstance(`redis://127.0.0.1:${await port}`);
    await countUntil(instance, () => connections() === 3);
    expect(told.mock.calls.map(([, message]) => message)).toEqual([
      'redis does not count; counting in memory',
    ]);
  });

  test('is told of at once where it fails anew after it has counted', async () => {
    const told = jest.spyOn(log(), 'warn').mockReturnValue();
    const { port } = serveRedis((connection) =>
      connection === 0 ? refusal : '*2\r\n:900\r\n:3600000',
    );
    const instance = createInstance(`redis://127.0.0.1:${await port}`);
    await countUntil(instance, (remaining) => remaining === 100);
    clients[0]?.disconnect(true);
    await instance.count('account');
    const messages: unknown[] = told.mock.calls.map(([, message]) => message);
    // Of a connection that was cut it may be told too.
    const uncounted = messages.filter((message) =>
      String(message).startsWith('redis does not count'),
    );
    expect(uncounted).toHaveLength(2);
  });
});
