import { once } from 'node:events';
import { chunk, closeFronts, head, openPeer, serve } from './front';

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
