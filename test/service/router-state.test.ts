import { withReadableState } from '@/src/service/router-state';
import { closeFronts, head, openPeer, serve } from '../http/front';

afterEach(closeFronts);

const state = encodeURIComponent(JSON.stringify(['', { children: ['sign-in', {}] }]));

describe('what an open page says that it has', () => {
  test.each([
    ['is handed on where Next can read it', state, state],
    ['is not where it is not escaped well', '%5', undefined],
    ['is not where it is no JSON', '%5B', undefined],
    ['is not where it has another form', '%5B%5D', undefined],
    ['is not where it comes twice', `${state}\r\nNext-Router-State-Tree: ${state}`, undefined],
  ])('%s', async (_, sent, handedOn) => {
    const { port } = await serve({
      handleOther: withReadableState(async ({ headers }, response) => {
        response.end(`${headers['next-router-state-tree']};`);
      }),
    });
    const peer = openPeer(port, head('GET', '/sign-in', `Next-Router-State-Tree: ${sent}`));
    expect(await peer.until(/;/)).toContain(`\r\n\r\n${handedOn};`);
  });
});
