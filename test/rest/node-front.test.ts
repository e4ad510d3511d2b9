import { once } from 'node:events';
import {
  Agent,
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
} from 'node:http';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { maxBodyBytes } from '@/src/api/body';
import { runDeferred } from '@/src/api/deferred';
import { setWorker } from '@/src/outbox/due';
import type { Defer } from '@/src/rest/exchange';
import { handleNodeRequest } from '@/src/rest/node';
import { createAccount, createKey } from '../helpers/accounts';
import { listen } from '../helpers/listening';
import { after } from '../helpers/next-server';

/** What only a socket shows: the rest of the contract runs here with TEST_FRONT=node. */

let server: Server;
let port: number;
let key: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    void handleNodeRequest(request, response, (task) => after(() => runDeferred(task)));
  });
  // What a client keeps open is not closed meanwhile, however long the machine takes between two requests.
  server.keepAliveTimeout = 0;
  port = await listen(server);
  key = await createKey(await createAccount());
});

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});

/** Writes bytes to the socket and returns all that comes back until the server closes or is quiet. */
function exchange(bytes: string | Buffer): Promise<string> {
  return new Promise((done, fail) => {
    const socket = connect(port, '127.0.0.1');
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk;
      if (received.endsWith('}')) socket.destroy();
    });
    socket.on('close', () => done(received));
    socket.on('error', fail);
    socket.write(bytes);
  });
}

const head = (method: string, path: string, ...headers: string[]) =>
  [
    `${method} /api/v1${path} HTTP/1.1`,
    'Host: x',
    `Authorization: ${key}`,
    ...headers,
    '',
    '',
  ].join('\r\n');

const ask = (
  agent: Agent,
  options: { method: string; path: string; headers?: Record<string, string> },
  body?: string,
) =>
  new Promise<{ status?: number; text: string; response: IncomingMessage }>((done, fail) => {
    const request = httpRequest({ ...options, port, agent, host: '127.0.0.1' }, (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => done({ status: response.statusCode, text, response }));
    });
    request.on('error', fail);
    request.setHeader('authorization', key);
    request.end(body);
  });

test('a body over the limit is refused while it streams, before it is complete', async () => {
  const chunk = 'x'.repeat(65_536);
  const chunks = Array.from({ length: 17 }, () => `10000\r\n${chunk}\r\n`).join('');
  // No last chunk: the client would have gone on for ever.
  const answer = await exchange(head('POST', '/spaces', 'Transfer-Encoding: chunked') + chunks);
  expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  expect(answer).toContain('PAYLOAD_TOO_LARGE');
});

test('a Content-Length that promises too much is not believed before it is there', async () => {
  const answer = await exchange(
    `${head('POST', '/spaces', `Content-Length: ${maxBodyBytes * 10}`)}${'x'.repeat(maxBodyBytes + 1)}`,
  );
  expect(answer).toMatch(/^HTTP\/1\.1 413 /);
});

test('a refused body leaves the connection fit for the next request, or closes it', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (const size of [maxBodyBytes + 1, maxBodyBytes * 4]) {
    const refused = await ask(agent, { method: 'POST', path: '/api/v1/spaces' }, 'x'.repeat(size));
    expect(refused.status).toBe(413);
    expect((await ask(agent, { method: 'GET', path: '/api/v1/spaces' })).status).toBe(200);
  }
  const unread = 'x'.repeat(maxBodyBytes * 2);
  const notFound = await ask(agent, { method: 'POST', path: '/api/v1/nowhere' }, unread);
  expect(notFound.status).toBe(404);
  expect((await ask(agent, { method: 'GET', path: '/api/v1/spaces' })).status).toBe(200);
  agent.destroy();
});

test('204 has neither a body nor a Content-Length; HEAD has no body', async () => {
  const agent = new Agent();
  const path = '/api/v1/spaces/00000000-0000-0000-0000-000000000000';
  const deleted = await ask(agent, { method: 'DELETE', path });
  expect([deleted.status, deleted.text]).toEqual([204, '']);
  expect(deleted.response.headers).not.toHaveProperty('content-length');
  expect(deleted.response.headers).not.toHaveProperty('content-type');
  const headed = await ask(agent, { method: 'HEAD', path: '/api/v1/spaces' });
  expect([headed.status, headed.text]).toEqual([200, '']);
});

test.each([
  ['/api/v1/%E0%A4%A', 404],
  ['/api/v1/spaces/%E0%A4%A', 400],
  ['/api/v1//', 404],
  ['/api/v1/spaces?%E0%A4%A', 200],
  ['/api/v1/spaces/?limit=1', 200],
  ['/api/v1/spaces#fragment', 404],
  ['/api/v1/spaces/../spaces', 404],
  ['/api/v1', 404],
])('the target %s is answered %i, in our form', async (path, status) => {
  const answer = await ask(new Agent(), { method: 'GET', path });
  expect(answer.status).toBe(status);
  expect(answer.response.headers['content-type']).toMatch('application/json');
  expect(() => JSON.parse(answer.text)).not.toThrow();
});

test('methods that are none of ours are answered 405', async () => {
  for (const method of ['PUT', 'TRACE', 'PROPFIND', 'PURGE', 'LINK']) {
    const answer = await ask(new Agent(), { method, path: '/api/v1/spaces' });
    expect([method, answer.status]).toEqual([method, 405]);
    const { allow, 'x-ratelimit-limit': limit } = answer.response.headers;
    expect([method, allow, limit]).toEqual([method, 'GET, POST, HEAD, OPTIONS', '1000']);
  }
});

test('two Authorization headers open nothing that one alone would not', async () => {
  const twice = head('GET', '/spaces', `Authorization: ${key}`);
  expect(await exchange(twice)).toMatch(/^HTTP\/1\.1 (200|401) /);
  const junkFirst = twice.replace(`Authorization: ${key}`, 'Authorization: junk');
  expect(await exchange(junkFirst)).toMatch(/^HTTP\/1\.1 401 /);
});

test.each([
  ['one', ['a'], 201],
  ['one with a comma', ['a, b'], 201],
  ['two', ['a', 'b'], 400],
  ['the same twice', ['a', 'a'], 400],
])('of Idempotency-Key headers %s is answered right', async (_, keys, status) => {
  const body = '{"name":"A space"}';
  const headers = keys.map((one) => `Idempotency-Key: ${one}`);
  const request = head('POST', '/spaces', ...headers, `Content-Length: ${body.length}`);
  expect(await exchange(`${request}${body}`)).toMatch(`HTTP/1.1 ${status} `);
});

test('a client that leaves in the middle of its body harms nobody else', async () => {
  const socket = connect(port, '127.0.0.1');
  await new Promise<void>((done) =>
    socket.write(`${head('POST', '/spaces', 'Content-Length: 100')}{"name":`, () => done()),
  );
  const closed = new Promise((done) => socket.once('close', done));
  socket.destroy();
  await closed;
  expect((await ask(new Agent(), { method: 'GET', path: '/api/v1/spaces' })).status).toBe(200);
});

test.each([
  ['what it wrote is announced', 'POST', '/spaces', '{"name":"A space"}'],
  ['nothing waits for it', 'GET', '/events?after=latest&wait=20', ''],
])('where a client left before it was answered, %s', async (_, method, path, body) => {
  const deferred: Promise<void>[] = [];
  const announced = jest.fn();
  setWorker(announced);
  const leaving = createServer();
  const handled = new Promise<void>((done) => {
    leaving.on('request', async (request, response) => {
      socket.destroy();
      await once(response, 'close');
      const defer: Defer = (task) => deferred.push(runDeferred(task));
      done(handleNodeRequest(request, response, defer, Readable.from([Buffer.from(body)])));
    });
  });
  const socket = connect(await listen(leaving), '127.0.0.1');
  const startedAt = performance.now();
  socket.write(head(method, path));
  await handled;
  await Promise.all(deferred);
  setWorker(() => {});
  await new Promise((closed) => leaving.close(closed));
  expect(announced).toHaveBeenCalledTimes(method === 'POST' ? 1 : 0);
  expect(performance.now() - startedAt).toBeLessThan(20_000);
});
