import { provideEnv } from '@/src/env';
import { createBodyMemory } from '@/src/http/body-memory';
import { handleNodeRequest } from '@/src/rest/node';
import { createTenant } from '../helpers/accounts';
import { promised } from '../helpers/promised';
import { expectDescribed } from '../rest/conformance';
import { boundIdle, closeFronts, echo, head, kiB, openPeer, serve } from './front';

afterEach(closeFronts);
afterEach(() => provideEnv({ TRUSTED_PROXIES: '' }));

const signIn = '/api/auth/sign-in/email';

/** A request with a body of so many bytes, of which `missing` do not come. */
function post(path: string, bytes: number, { missing = 0, headers = [] as string[] } = {}): string {
  const length = `Content-Length: ${bytes}`;
  return head('POST', path, length, ...headers) + 'x'.repeat(bytes - missing);
}

/** Sends a request again and again until it is answered so: what came before it is counted by then. */
async function untilAnswered(status: number, send: () => Promise<string>): Promise<string> {
  for (;;) {
    const answer = await send();
    if (answer.startsWith(`HTTP/1.1 ${status} `)) return answer;
  }
}

describe('bodies that are still arriving', () => {
  test('of one client take so much memory and no more; what is over is answered 503', async () => {
    const bodyMemory = { totalBytes: 200 * kiB, clientBytes: 100 * kiB };
    const { port } = await serve({ bodyMemory, handleOther: echo });
    const holding = [1, 2].map(() => openPeer(port, post(signIn, 50 * kiB, { missing: 10 })));
    const refused = await untilAnswered(503, () =>
      openPeer(port, post(signIn, 20 * kiB)).until(/\}$/),
    );
    expect(refused).toContain('\r\nRetry-After: 1\r\n');
    expect(refused).toContain('OVERLOADED');
    // Whoever sends no body is not concerned.
    expect(await openPeer(port, head('GET', '/')).until(/\}$/)).toMatch(/^HTTP\/1\.1 200 /);
    for (const { socket } of holding) socket.destroy();
    await untilAnswered(200, () => openPeer(port, post(signIn, 60 * kiB)).until(/\}$/));
  });

  test('take nothing before they come: who announces much and sends little keeps nobody out', async () => {
    const bodyMemory = { totalBytes: 100 * kiB, clientBytes: 100 * kiB };
    const { port } = await serve({
      bodyMemory,
      handleOther: echo,
      handleRest: async (_request, response, body) => {
        for await (const _ of body);
        response.end('{}');
      },
    });
    for (const path of ['/api/v1/imports', signIn]) {
      for (let peer = 0; peer < 20; peer += 1) {
        openPeer(port, post(path, 60 * kiB, { missing: 60 * kiB - (peer % 2) }));
      }
    }
    for (const path of ['/api/v1/spaces', signIn]) {
      expect(await openPeer(port, post(path, 60 * kiB)).until(/\}$/)).toMatch(/ 200 OK/);
    }
  });

  test('are counted by client and by piece, and freed once', () => {
    const memory = createBodyMemory({ totalBytes: 10 * kiB, clientBytes: 6 * kiB });
    const [first, second, other] = [memory.open('a'), memory.open('a'), memory.open('b')];
    const refused = expect.objectContaining({ apiCode: 'OVERLOADED', retryAfterSeconds: 1 });
    const failure = (add: () => void) => {
      try {
        add();
        return undefined;
      } catch (error) {
        return error;
      }
    };
    first.add(5 * kiB);
    // A piece takes 512 bytes at least.
    first.add(1);
    second.add(1);
    expect(failure(() => second.add(1))).toEqual(refused);
    expect(failure(() => other.add(5 * kiB))).toEqual(refused);
    other.add(4 * kiB);
    first.free();
    first.free();
    second.add(5 * kiB);
    expect(failure(() => second.add(kiB))).toEqual(refused);
  });

  test('and have 64 KiB or more hold their memory until they are answered', async () => {
    const gate = promised<void>();
    const { port } = await serve({
      bodyMemory: { totalBytes: 1000 * kiB, clientBytes: 150 * kiB },
      handleRest: async (_request, response, body) => {
        for await (const _ of body);
        response.writeContinue();
        await gate.promise;
        response.end('{}');
      },
    });
    const held = openPeer(port, post('/api/v1/spaces', 64 * kiB));
    await held.until(/^HTTP\/1\.1 100 /);
    const small = openPeer(port, post('/api/v1/spaces', 63 * kiB));
    await small.until(/^HTTP\/1\.1 100 /);
    // The smaller one is free again as soon as it has arrived; the larger is not.
    const next = openPeer(port, post('/api/v1/spaces', 63 * kiB));
    await next.until(/^HTTP\/1\.1 100 /);
    expect(await openPeer(port, post('/api/v1/spaces', 100 * kiB)).until(/\}$/)).toContain(
      'OVERLOADED',
    );
    gate.resolve();
    for (const peer of [held, small, next]) await peer.until(/\{\}$/);
    expect(await openPeer(port, post('/api/v1/spaces', 100 * kiB)).until(/\{\}$/)).toMatch(
      /HTTP\/1\.1 200 /,
    );
  });

  test.each([
    ['POST', '/testimonials', '*'],
    ['POST', '/imports', null],
    ['PATCH', '/spaces/c1a8e7d2-5f4b-4a3c-9d2e-1f0a9b8c7d6e', null],
  ])('are refused as the document says: %s %s', async (method, path, origin) => {
    const { api } = await createTenant();
    const { port } = await serve({
      bodyMemory: { totalBytes: kiB, clientBytes: kiB },
      handleRest: (request, response, body) => handleNodeRequest(request, response, () => {}, body),
    });
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
      method,
      headers: { Authorization: `Bearer ${api.key}` },
      body: JSON.stringify({ name: 'x'.repeat(2 * kiB) }),
    });
    const { status, headers } = answer;
    const text = await answer.text();
    expect([status, headers.get('retry-after')]).toEqual([503, '1']);
    // Browsers of other origins may read why, where they may read at all.
    expect(headers.get('access-control-allow-origin')).toBe(origin);
    expectDescribed(method, path, { status, headers, text, body: JSON.parse(text) });
  });

  test('behind a proxy of ours are counted by the address that it saw', async () => {
    const bodyMemory = { totalBytes: 200 * kiB, clientBytes: 60 * kiB };
    provideEnv({ TRUSTED_PROXIES: '127.0.0.0/8' });
    const { port } = await serve({ bodyMemory, handleOther: echo });
    const from = (address: string) => ({ headers: [`X-Forwarded-For: ${address}`] });
    const { socket } = openPeer(
      port,
      post(signIn, 50 * kiB, { missing: 10, ...from('9.9.9.9, 192.0.2.1') }),
    );
    await untilAnswered(503, () =>
      openPeer(port, post(signIn, 20 * kiB, from('192.0.2.1'))).until(/\}$/),
    );
    const other = post(signIn, 50 * kiB, from('9.9.9.9, 192.0.2.2'));
    expect(await openPeer(port, other).until(/\}$/)).toMatch(/^HTTP\/1\.1 200 /);
    socket.destroy();
  });
});

test('what comes of a body after it was refused for its slowness is not done', async () => {
  const done = jest.fn();
  const ended = promised<void>();
  const { front, port } = await serve({
    handleRest: async (_request, _response, body) => {
      try {
        for await (const _ of body);
        done();
      } finally {
        ended.resolve();
      }
    },
  });
  boundIdle(front, 50);
  const peer = openPeer(port, post('/api/v1/spaces', 10, { missing: 5 }));
  await peer.until(/^HTTP\/1\.1 408 [\s\S]*\}$/);
  peer.socket.write('xxxxx');
  await ended.promise;
  expect(done).not.toHaveBeenCalled();
});
