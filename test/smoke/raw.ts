import { connect } from 'node:net';

const timeoutMs = 5_000;

/**
 * Sends bytes as they are and returns what comes back until the other side closes. Throws where
 * nothing, or no end, has come within the time.
 */
export function exchange(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes, 'latin1'));
    const deadline = setTimeout(() => {
      socket.destroy();
      reject(new Error(`No end of the answer within ${timeoutMs} ms, after "${answer}"`));
    }, timeoutMs);
    socket.setEncoding('latin1');
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(deadline);
      resolve(answer);
    });
  });
}

/** The status of a raw answer; 0 where it is none. */
export function statusOf(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1] ?? 0);
}

/** Requests that no ordinary client sends, by name. Each asks for the connection to be closed. */
export const oddRequests: Record<string, { bytes: string; status: number }> = {
  'a path that cannot be decoded': odd('GET', '/api/v1/testimonials/%E0%A4%A', 401),
  'such a path outside the API': odd('GET', '/api/trpc/%E0%A4%A', 400),
  'a trailing slash': odd('GET', '/api/v1/testimonials/', 401),
  'a whole address': odd('GET', 'http://example.com/api/v1/testimonials', 401),
  'no path': odd('OPTIONS', '*', 400),
  'a path of slashes': odd('GET', '//', 308),
  'a double slash inside': odd('GET', '/api/v1//testimonials', 401),
  'a NUL': odd('GET', '/api/v1/testimonials/%00', 401),
  'a very long query': odd('GET', `/api/v1/testimonials?search=${'a'.repeat(12_000)}`, 401),
  // Its decoder would work for anyone, on whatever was uploaded.
  'a picture to resize': odd('GET', '/_next/image?url=%2Ficon.svg&w=64&q=75', 404),
  // Next draws it where a page has failed, with a 500.
  'the page for what has failed': odd('GET', '/_global-error', 404),
  'a method of its own': odd('BREW', '/api/v1/testimonials', 400),
  'headers without end': odd('GET', `/api/v1/testimonials?search=${'a'.repeat(40_000)}`, 431),
  'an offer to upgrade': {
    bytes:
      'GET /api/v1/testimonials HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, close\r\nUpgrade: h2c\r\n\r\n',
    status: 401,
  },
  'two lengths': {
    bytes:
      'POST /api/v1/spaces HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    status: 400,
  },
  'no HTTP at all': { bytes: '\u0016\u0003\u0001 hello\r\n\r\n', status: 400 },
};

function odd(method: string, target: string, status: number) {
  return { bytes: `${method} ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`, status };
}
