import { once } from 'node:events';
import { chunk, closeFronts, echo, head, lastChunk, openPeer, serve } from './front';

afterEach(closeFronts);

const chunked = 'Transfer-Encoding: chunked';

// The client has one request under way: what came behind would be taken for the next one's answer.
test('the rest of a body that cannot be read ends the connection without a word, once the request is answered', async () => {
  const { port, front } = await serve({
    handleRest: async (_, response) => {
      response.writeHead(401).end('no');
    },
  });
  const unreadable = once(front.server, 'clientError');
  const peer = openPeer(port, head('POST', '/api/v1/spaces', chunked) + chunk('{'));
  await peer.until(/no/);
  peer.socket.write('zz\r\n');
  await unreadable;
  expect((await peer.closed).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401']);
});

const upgrade = ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABk'];

// Node throws away what comes in one piece with the end of a request that offers an upgrade.
test('where an upgrade is offered, an answer before the end of the body ends the connection, and says so', async () => {
  const { port } = await serve({
    handleRest: async (_, response) => {
      response.writeHead(401, { 'Content-Length': 2 }).end('no');
    },
  });
  const peer = openPeer(port, head('POST', '/api/v1/spaces', chunked, ...upgrade) + chunk('{'));
  await peer.until(/no/);
  peer.socket.write(chunk('}') + lastChunk + head('GET', '/api/v1/spaces'));
  expect((await peer.closed).match(/HTTP\/1\.1 \d+|Connection: .*/g)).toEqual([
    'HTTP/1.1 401',
    'Connection: close',
  ]);
});

test.each([
  ['a body that is here before its answer', 'POST', ['Content-Length: 2'], '{}'],
  ['no body', 'GET', [], ''],
])('an offered upgrade with %s leaves the connection open', async (_, method, headers, body) => {
  const { port } = await serve({ handleRest: echo });
  const asked = head(method, '/api/v1/spaces', ...headers, ...upgrade);
  const peer = openPeer(port, asked);
  peer.socket.write(body);
  await peer.until(/"body":"[^"]*"/);
  expect(peer.received()).toContain('Connection: keep-alive');
  peer.socket.write(head('GET', '/api/v1/next'));
  await peer.until(/"url":"\/api\/v1\/next"/);
});
