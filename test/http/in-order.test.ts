import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate as turnOfEventLoop } from 'node:timers/promises';
import { promised } from '../helpers/promised';
import { chunk, closeFronts, head, kiB, lastChunk, openPeer, serve, wideLimits } from './front';

afterEach(closeFronts);

/** A handler that answers with the path, each request once it is let go on. */
function gated() {
  const begun: string[] = [];
  const gates = new Map<string, () => void>();
  const arrived = new Map<string, () => void>();
  return {
    begun,
    handle: async ({ url = '' }: IncomingMessage, response: ServerResponse) => {
      const gate = promised<void>();
      gates.set(url, gate.resolve);
      begun.push(url);
      arrived.get(url)?.();
      await gate.promise;
      response.end(url);
    },
    answer: (url: string) => gates.get(url)?.(),
    untilBegun: (url: string) =>
      begun.includes(url)
        ? Promise.resolve()
        : new Promise<void>((resolve) => arrived.set(url, resolve)),
  };
}

describe('the requests of one connection', () => {
  test.each([
    ['the API', '/api/v1/'],
    ['pages', '/'],
  ])(
    'are begun one after the other, however many come in one piece (RFC 9112, section 9.3.2): %s',
    async (_, start) => {
      const { begun, handle, answer, untilBegun } = gated();
      const { port } = await serve({ handleRest: handle, handleOther: handle });
      const paths = ['a', 'b', 'c'].map((name) => start + name);
      const peer = openPeer(port, paths.map((path) => head('GET', path)).join(''));
      for (const [place, path] of paths.entries()) {
        await untilBegun(path);
        await turnOfEventLoop();
        expect(begun).toEqual(paths.slice(0, place + 1));
        answer(path);
      }
      const answers = await peer.until(/\/c$/);
      expect(answers.match(/HTTP\/1\.1 200 /g)).toHaveLength(3);
      expect(answers).toMatch(/a\s*HTTP.*b\s*HTTP/s);
    },
  );

  test('come whole, though a body follows another request', async () => {
    const { port } = await serve({
      handleRest: async ({ url }, response, body) => {
        let bytes = 0;
        for await (const { byteLength } of body) bytes += byteLength;
        response.end(`${url} has ${bytes};`);
      },
    });
    const large = 'x'.repeat(200_000);
    const chunked = 'Transfer-Encoding: chunked';
    const requests = [1, 2, 3].map(
      (number) => head('POST', `/api/v1/${number}`, chunked) + chunk(large) + lastChunk,
    );
    const answers = await openPeer(port, requests.join('')).until(/3 has 200000;$/);
    expect(answers.match(/\d has 200000;/g)).toHaveLength(3);
  });

  test('that wait are not begun once it is closed', async () => {
    const { begun, handle, answer, untilBegun } = gated();
    const { port, front } = await serve({ handleOther: handle });
    const closed = new Promise((resolve) => {
      front.server.once('connection', (socket) => socket.once('close', resolve));
    });
    const peer = openPeer(port, head('GET', '/a') + head('GET', '/b'));
    await untilBegun('/a');
    peer.socket.destroy();
    await closed;
    answer('/a');
    await openPeer(port, head('POST', '/api/v1/none', 'Connection: close')).closed;
    expect(begun).toEqual(['/a']);
  });

  test('that wait are not begun where the answer before ends it', async () => {
    const begun: string[] = [];
    const { port, front } = await serve({
      handleRest: async ({ url = '' }, response) => {
        begun.push(url);
        response.setHeader('Connection', 'close');
        response.end(url);
      },
    });
    const closed = new Promise((resolve) => {
      front.server.once('connection', (socket) => socket.once('close', resolve));
    });
    const peer = openPeer(port, head('GET', '/api/v1/a') + head('DELETE', '/api/v1/b'));
    await peer.closed;
    peer.socket.end();
    await closed;
    expect(begun).toEqual(['/api/v1/a']);
  });

  test('that wait are bounded: it is cut off where there are more', async () => {
    const { begun, handle, untilBegun } = gated();
    const { port, open } = await serve({ handleOther: handle });
    const many = openPeer(port, head('GET', '/a').repeat(1000));
    expect(await many.closed).toBe('');
    const kept = openPeer(port, head('GET', '/b').repeat(32));
    await untilBegun('/b');
    expect(await open()).toBe(1);
    expect(begun).toEqual(['/b']);
    kept.socket.destroy();
  });
});

describe('what cannot be read, behind a request that is under way,', () => {
  const chunked = 'Transfer-Encoding: chunked';

  test.each([
    ['is no HTTP', 'garbage\r\n\r\n', 400],
    ['is the body of a request that waits', `${head('POST', '/b', chunked)}zz\r\n`, 400],
    ['is a head that has no end in time', 'GET /b HTTP/1.1\r\nHo', 408],
  ])('is answered after it, and ends the connection: it %s', async (_, bytes, status) => {
    const { begun, handle, answer, untilBegun } = gated();
    const { port, front } = await serve({ handleRest: handle, handleOther: handle });
    const unreadable = once(front.server, 'clientError');
    const peer = openPeer(port, head('GET', '/a'));
    await untilBegun('/a');
    front.server.headersTimeout = 50;
    peer.socket.write(head('GET', '/api/v1/next') + bytes);
    await unreadable;
    for (const path of ['/a', '/api/v1/next']) {
      await untilBegun(path);
      answer(path);
    }
    const answers = (await peer.closed).split(/(?=HTTP\/1\.1 )/);
    const lines = answers.map((text) => text.split('\r\n', 1)[0]);
    expect(lines.map((line) => line?.split(' ')[1])).toEqual(['200', '200', String(status)]);
    expect(begun).toEqual(['/a', '/api/v1/next']);
  });

  test('is answered at once where it is the body of what is under way', async () => {
    const { handle, answer, untilBegun } = gated();
    const { port } = await serve({ handleRest: handle });
    const peer = openPeer(port, head('GET', '/api/v1/a') + head('POST', '/api/v1/b', chunked));
    await untilBegun('/api/v1/a');
    answer('/api/v1/a');
    await untilBegun('/api/v1/b');
    peer.socket.write('zz\r\n');
    expect((await peer.closed).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
  });

  test('is all that is answered: what comes behind it is not begun', async () => {
    const { begun, handle, answer, untilBegun } = gated();
    const { port, front } = await serve({ handleRest: handle });
    const unreadable = once(front.server, 'clientError');
    const peer = openPeer(port, head('GET', '/api/v1/a'));
    await untilBegun('/api/v1/a');
    front.server.headersTimeout = 50;
    peer.socket.write('DELETE /api/v1/b HTTP/1.1\r\nHost: x\r\n');
    await unreadable;
    const read = once(front.server, 'request');
    peer.socket.write('\r\n');
    await read;
    answer('/api/v1/a');
    expect((await peer.closed).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 408']);
    expect(begun).toEqual(['/api/v1/a']);
  });

  // What is its own body has been answered, and gets no second answer, which would be the next one's.
  test.each([
    ['is no HTTP', head('GET', '/api/v1/a'), 'garbage\r\n\r\n', /^400 /],
    ['is its body', head('POST', '/api/v1/a', chunked), 'zz\r\n', /^$/],
  ])('is not set into its answer: it %s', async (_, request, bytes, behind) => {
    const goOn = promised<void>();
    const { port, front } = await serve({
      handleRest: async (_, response) => {
        response.write('one part, ');
        await goOn.promise;
        response.end('and another');
      },
    });
    const unreadable = once(front.server, 'clientError');
    const peer = openPeer(port, request);
    await peer.until(/one part, /);
    peer.socket.write(bytes);
    await unreadable;
    goOn.resolve();
    const [, first = '', second = ''] = (await peer.closed).split('HTTP/1.1 ');
    expect(first).toMatch(/^200 [\s\S]*\r\none part, \r\n[\s\S]*\r\nand another\r\n0\r\n\r\n$/);
    expect(second).toMatch(behind);
  });

  test('is not read without end', async () => {
    const { handle, untilBegun } = gated();
    const { port } = await serve({ handleOther: handle });
    const peer = openPeer(port, head('GET', '/a'));
    await untilBegun('/a');
    peer.socket.write('x'.repeat(1024 * kiB));
    expect(await peer.closed).toBe('');
  });

  test('is as long as it may be, however much came before it', async () => {
    const { handle, answer, untilBegun } = gated();
    const { port, front } = await serve({
      handleRest: async (request, response, body) => {
        for await (const _ of body);
        await handle(request, response);
      },
    });
    const large = chunk('x'.repeat(100 * kiB)) + lastChunk;
    const peer = openPeer(port, head('POST', '/api/v1/a', chunked) + large);
    await untilBegun('/api/v1/a');
    for (const bytes of ['garbage\r\n\r\n', 'more of it']) {
      const unreadable = once(front.server, 'clientError');
      peer.socket.write(bytes);
      await unreadable;
    }
    answer('/api/v1/a');
    expect((await peer.closed).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
  });

  test.each([
    ['behind it', 'garbage\r\n\r\n', { isLate: false }],
    ['in the midst of a head', 'GET /b HTTP/1.1\r\nHo', { isLate: false }],
    ['in the midst of a head that has taken too long', 'GET /b HTTP/1.1\r\nHo', { isLate: true }],
  ])('keeps nobody waiting who has closed its side %s', async (_, bytes, { isLate }) => {
    const begun = promised<void>();
    const left = promised<void>();
    const never = 3_600_000;
    const { port, front } = await serve({
      // What is ended for another reason would not be seen to wait.
      limits: { ...wideLimits, headersMs: never, idleMs: never },
      handleOther: async (_, response) => {
        response.once('close', left.resolve);
        begun.resolve();
      },
    });
    const { socket } = openPeer(port, head('GET', '/a'));
    await begun.promise;
    const unreadable = once(front.server, 'clientError');
    socket.write(bytes);
    if (isLate) {
      front.server.headersTimeout = 50;
      await unreadable;
    }
    socket.end();
    await left.promise;
  });
});

test('a request whose head is whole only after it was answered 408 is not begun', async () => {
  const { begun, handle } = gated();
  const { port, front } = await serve({
    handleRest: handle,
    limits: { ...wideLimits, headersMs: 50 },
  });
  const peer = openPeer(port, 'DELETE /api/v1/testimonials/1 HTTP/1.1\r\nHost: x\r\n');
  await peer.until(/^HTTP\/1\.1 408 /);
  const read = once(front.server, 'request');
  peer.socket.write('\r\n');
  await read;
  await turnOfEventLoop();
  expect(begun).toEqual([]);
});
