import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promised } from '../helpers/promised';
import { chunk, closeFronts, head, openPeer, serve } from './front';

afterEach(closeFronts);

const chunked = 'Transfer-Encoding: chunked';

describe('the rest of a body that cannot be read, of a request that is answered already,', () => {
  // The client has one request under way: what came behind would be taken for the next one's answer.
  test('ends the connection without another answer', async () => {
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

  test('ends it behind the answer, where that is on its way', async () => {
    const goOn = promised<void>();
    const { port, front } = await serve({
      handleOther: async (_: IncomingMessage, response: ServerResponse) => {
        response.write('one part, ');
        await goOn.promise;
        response.end('and another');
      },
      handleRest: async (_: IncomingMessage, response: ServerResponse) => {
        response.write('one part, ');
        await goOn.promise;
        response.end('and another');
      },
    });
    const unreadable = once(front.server, 'clientError');
    const peer = openPeer(port, head('POST', '/api/v1/spaces', chunked) + chunk('{'));
    await peer.until(/one part, /);
    peer.socket.write('zz\r\n');
    await unreadable;
    goOn.resolve();
    const answers = await peer.closed;
    expect(answers).toMatch(/and another\r\n0\r\n\r\n$/);
    expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200']);
  });
});
