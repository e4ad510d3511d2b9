import { setMeter } from '@/src/metrics/meter';
import { meterBy } from '../helpers/meter';
import { closeFronts, head, openPeer, serve } from './front';

afterEach(async () => {
  setMeter(undefined);
  await closeFronts();
});

test('a request has one listener for the end of its answer, and leaves Next nine before Node warns', async () => {
  const request = jest.fn();
  meterBy({ request });
  let listeners: number | undefined;
  const { port } = await serve({
    handleOther: async (_, response) => {
      listeners = response.listenerCount('close');
      response.end('ok');
    },
  });
  const json = ['Content-Type: application/json', 'Content-Length: 2', 'Connection: close'];
  await openPeer(port, `${head('POST', '/api/auth/sign-in/email', ...json)}{}`).closed;
  expect(listeners).toBe(1);
  expect(request).toHaveBeenCalledWith(expect.objectContaining({ route: '/api/auth' }));
});
