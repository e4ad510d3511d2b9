import { closeFronts, head, openPeer, serve } from './front';

afterEach(closeFronts);

// Node leaves out what comes behind the first 1,000, unless told otherwise, and says nothing.
test('every header is seen that a head has room for', async () => {
  const { port } = await serve({
    handleRest: async ({ headers }, response) => {
      response.end(`${headers.authorization} by ${headers['x-forwarded-for']};`);
    },
  });
  const many = Array.from({ length: 2_200 }, () => 'a:');
  const peer = openPeer(port, head('GET', '/api/v1/me', ...many, 'Authorization: Bearer key'));
  expect(await peer.until(/;/)).toContain('Bearer key by ');
});

test('a second Host is seen behind any number of headers', async () => {
  const { port } = await serve();
  const many = Array.from({ length: 2_200 }, () => 'a:');
  const peer = openPeer(port, head('GET', '/api/v1/me', ...many, 'Host: y'));
  expect(await peer.until(/\}\}/)).toMatch(/^HTTP\/1\.1 400 /);
});
