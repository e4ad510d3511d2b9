import { once } from 'node:events';
import { provideEnv } from '@/src/env';
import { createBodyMemory } from '@/src/http/body-memory';
import { promised } from '../helpers/promised';
import { expectDescribed } from '../rest/conformance';
import { closeFronts, echo, head, kiB, openPeer, patient, serve } from './front';

afterEach(closeFronts);
afterEach(() => provideEnv({ TRUSTED_PROXIES: '' }));

/** One of which so much has come; undefined where it waits for nobody. */
function body(arrived?: number) {
  return { arrived: () => arrived, giveWay: jest.fn() };
}

describe('bodies that are still arriving', () => {
  test('of one client take so much memory and no more; what is over is answered 503', async () => {
    const bodyMemory = { totalBytes: 200 * kiB, clientBytes: 100 * kiB, ...patient };
    const { front, port } = await serve({ bodyMemory, handleOther: echo });
    const promise = head('POST', '/api/auth/sign-in/email', `Content-Length: ${50 * kiB}`);
    const holding = [openPeer(port, promise), openPeer(port, promise)];
    for (let seen = 0; seen < 2; seen += 1) await once(front.server, 'request');
    const refused = await openPeer(port, promise).until(/\}$/);
    expect(refused).toMatch(/^HTTP\/1\.1 503 /);
    expect(refused).toContain('\r\nRetry-After: 1\r\n');
    expect(refused).toContain('OVERLOADED');
    // Whoever sends no body is not concerned.
    expect(await openPeer(port, head('GET', '/')).until(/\}$/)).toMatch(/^HTTP\/1\.1 200 /);
    for (const { socket } of holding) socket.destroy();
  });

  test('of the API are refused so that a browser of another origin may read why', async () => {
    const { port } = await serve({ bodyMemory: { totalBytes: kiB, clientBytes: kiB, ...patient } });
    const refused = await openPeer(
      port,
      head('POST', '/api/v1/testimonials', `Content-Length: ${50 * kiB}`),
    ).until(/\}$/);
    expect(refused).toMatch(/^HTTP\/1\.1 503 /);
    expect(refused).toContain('\r\nAccess-Control-Allow-Origin: *\r\n');
    expect(refused).toMatch(/\r\nAccess-Control-Expose-Headers: .*Retry-After/);
    for (const path of ['/api/v1/testimonials/batch/update', '/api/v1/imports', '/api/auth/a']) {
      const closed = openPeer(port, head('POST', path, `Content-Length: ${50 * kiB}`));
      expect(await closed.until(/\}$/)).not.toContain('Access-Control');
    }
  });

  test('are counted by client, and freed once', () => {
    const memory = createBodyMemory({ totalBytes: 10, clientBytes: 6, ...patient });
    const free = memory.take('a', 6, body());
    expect(memory.take('a', 1, body())).toBeUndefined();
    expect(memory.take('b', 5, body())).toBeUndefined();
    const other = memory.take('b', 4, body());
    expect(other).toBeDefined();
    free?.();
    free?.();
    expect(memory.take('a', 7, body())).toBeUndefined();
    expect(memory.take('a', 6, body())).toBeDefined();
    expect(memory.take('c', 1, body())).toBeUndefined();
  });

  describe('where there is no room', () => {
    function memoryAt(start: number) {
      const limits = { totalBytes: 100, clientBytes: 60, stallMs: 1_000, bytesPerSecond: 10 };
      let at = start;
      const memory = createBodyMemory(limits, () => at);
      return { take: memory.take, later: (ms: number) => (at += ms) };
    }

    test('those that stand still give way, the slowest first and no more than are needed', () => {
      const { take, later } = memoryAt(0);
      const [slow, slower, fast, ours] = [body(9), body(0), body(10), body()];
      take('a', 25, slow);
      const free = take('b', 25, slower);
      take('c', 25, fast);
      take('d', 25, ours);
      expect(take('e', 20, body())).toBeUndefined();
      later(1_000);
      expect(take('e', 20, body())).toBeDefined();
      expect([slow, slower, fast, ours].map(({ giveWay }) => giveWay.mock.calls.length)).toEqual([
        0, 1, 0, 0,
      ]);
      // Its handler ends some time later, and must not free it a second time.
      free?.();
      expect(take('e', 6, body(5))).toBeDefined();
      expect(slow.giveWay).toHaveBeenCalledTimes(1);
    });

    test('of a client that has its share, its own alone give way', () => {
      const { take, later } = memoryAt(0);
      const [own, other] = [body(1), body(0)];
      take('a', 60, own);
      take('b', 40, other);
      later(1_000);
      expect(take('a', 60, body())).toBeDefined();
      expect([own.giveWay, other.giveWay].map(({ mock }) => mock.calls.length)).toEqual([1, 0]);
    });

    test('nobody gives way where that would not make enough', () => {
      const { take, later } = memoryAt(0);
      const still = body(0);
      take('a', 30, still);
      take('b', 60, body());
      later(1_000);
      expect(take('c', 50, body())).toBeUndefined();
      expect(still.giveWay).not.toHaveBeenCalled();
    });
  });

  test('and of which nothing comes are refused for the sake of others, and their handlers end', async () => {
    const ended: Promise<unknown>[] = [];
    const { port, front } = await serve({
      bodyMemory: {
        totalBytes: 100 * kiB,
        clientBytes: 100 * kiB,
        stallMs: 0,
        bytesPerSecond: 1e9,
      },
      handleOther: (request, response) => {
        const handling = echo(request, response);
        ended.push(handling.catch(() => {}));
        return handling;
      },
    });
    const promise = (bytes: number) =>
      head('POST', '/api/auth/sign-in/email', `Content-Length: ${bytes}`);
    const holding = [openPeer(port, promise(50 * kiB)), openPeer(port, promise(50 * kiB))];
    for (let seen = 0; seen < 2; seen += 1) await once(front.server, 'request');
    const next = `${promise(60 * kiB)}${'x'.repeat(60 * kiB)}`;
    expect(await openPeer(port, next).until(/"\}$/)).toMatch(/^HTTP\/1\.1 200 /);
    for (const { closed } of holding) {
      const answer = await closed;
      expect(answer).toMatch(/^HTTP\/1\.1 503 /);
      expect(answer).toMatch(/\r\nRetry-After: 1\r\n/);
      expect(answer).toContain('OVERLOADED');
    }
    await Promise.all(ended);
  });

  test('and are larger than any but an import’s hold their memory until they are answered', async () => {
    const miB = 1024 * kiB;
    const gate = promised<void>();
    const { port } = await serve({
      bodyMemory: { totalBytes: 64 * miB, clientBytes: 4 * miB, ...patient },
      handleRest: async (request, response) => {
        for await (const _ of request);
        response.writeContinue();
        await gate.promise;
        response.end('{}');
      },
    });
    const body = (path: string, bytes: number) =>
      head('POST', path, `Content-Length: ${bytes}`) + 'x'.repeat(bytes);
    const held = openPeer(port, body('/api/v1/imports', 3 * miB));
    await held.until(/^HTTP\/1\.1 100 /);
    const small = openPeer(port, body('/api/v1/spaces', miB));
    await small.until(/^HTTP\/1\.1 100 /);
    // The smaller one is free again as soon as it has arrived; the larger is not.
    const next = openPeer(port, body('/api/v1/spaces', miB));
    await next.until(/^HTTP\/1\.1 100 /);
    expect(await openPeer(port, body('/api/v1/imports', 3 * miB)).until(/\}$/)).toContain(
      'OVERLOADED',
    );
    gate.resolve();
    for (const peer of [held, small, next]) await peer.until(/\{\}$/);
    expect(await openPeer(port, body('/api/v1/imports', 3 * miB)).until(/\{\}$/)).toMatch(
      /HTTP\/1\.1 200 /,
    );
  });

  test.each([
    ['POST', '/imports'],
    ['PATCH', '/spaces/c1a8e7d2-5f4b-4a3c-9d2e-1f0a9b8c7d6e'],
  ])('are refused as the document says: %s %s', async (method, path) => {
    const { port } = await serve({ bodyMemory: { totalBytes: kiB, clientBytes: 0, ...patient } });
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, { method, body: '{}' });
    const { status, headers } = answer;
    const text = await answer.text();
    expect(status).toBe(503);
    expectDescribed(method, path, { status, headers, text, body: JSON.parse(text) });
  });

  test('behind a proxy of ours are counted by the address that it saw', async () => {
    const bodyMemory = { totalBytes: 200 * kiB, clientBytes: 60 * kiB, ...patient };
    provideEnv({ TRUSTED_PROXIES: '127.0.0.0/8' });
    const { front, port } = await serve({ bodyMemory, handleOther: echo });
    const from = (address: string) =>
      head('POST', '/api/auth/a', `Content-Length: ${50 * kiB}`, `X-Forwarded-For: ${address}`);
    const { socket } = openPeer(port, from('9.9.9.9, 192.0.2.1'));
    await once(front.server, 'request');
    expect(await openPeer(port, from('192.0.2.1')).until(/\}$/)).toMatch(/^HTTP\/1\.1 503 /);
    const other = from('9.9.9.9, 192.0.2.2') + 'x'.repeat(50 * kiB);
    expect(await openPeer(port, other).until(/\}$/)).toMatch(/^HTTP\/1\.1 200 /);
    socket.destroy();
  });
});
