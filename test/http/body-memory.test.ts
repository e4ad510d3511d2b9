import { once } from 'node:events';
import { provideEnv } from '@/src/env';
import { createBodyMemory } from '@/src/http/body-memory';
import { promised } from '../helpers/promised';
import { expectDescribed } from '../rest/conformance';
import { closeFronts, echo, head, kiB, openPeer, serve } from './front';

afterEach(closeFronts);
afterEach(() => provideEnv({ TRUSTED_PROXIES: '' }));

describe('bodies that are still arriving', () => {
  test('of one client take so much memory and no more; what is over is answered 503', async () => {
    const bodyMemory = { totalBytes: 200 * kiB, clientBytes: 100 * kiB };
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
    const { port } = await serve({ bodyMemory: { totalBytes: kiB, clientBytes: kiB } });
    const refused = await openPeer(
      port,
      head('POST', '/api/v1/testimonials', `Content-Length: ${50 * kiB}`),
    ).until(/\}$/);
    expect(refused).toMatch(/^HTTP\/1\.1 503 /);
    expect(refused).toContain('\r\nAccess-Control-Allow-Origin: *\r\n');
    expect(refused).toMatch(/\r\nAccess-Control-Expose-Headers: .*Retry-After/);
  });

  test('are counted by client, and freed once', () => {
    const memory = createBodyMemory({ totalBytes: 10, clientBytes: 6 });
    const free = memory.take('a', 6);
    expect(memory.take('a', 1)).toBeUndefined();
    expect(memory.take('b', 5)).toBeUndefined();
    const other = memory.take('b', 4);
    expect(other).toBeDefined();
    free?.();
    free?.();
    expect(memory.take('a', 7)).toBeUndefined();
    expect(memory.take('a', 6)).toBeDefined();
    expect(memory.take('c', 1)).toBeUndefined();
  });

  test('and are larger than any but an import’s hold their memory until they are answered', async () => {
    const miB = 1024 * kiB;
    const gate = promised<void>();
    const { port } = await serve({
      bodyMemory: { totalBytes: 64 * miB, clientBytes: 4 * miB },
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
    const { port } = await serve({ bodyMemory: { totalBytes: kiB, clientBytes: 0 } });
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, { method, body: '{}' });
    const { status, headers } = answer;
    const text = await answer.text();
    expect(status).toBe(503);
    expectDescribed(method, path, { status, headers, text, body: JSON.parse(text) });
  });

  test('behind a proxy of ours are counted by the address that it saw', async () => {
    const bodyMemory = { totalBytes: 200 * kiB, clientBytes: 60 * kiB };
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
