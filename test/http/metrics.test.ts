import { provideEnv } from '@/src/env';
import { mayReadMetrics } from '@/src/http/metrics-access';
import { groupOf } from '@/src/http/observe';
import { setMeter } from '@/src/metrics/meter';
import { meterBy } from '../helpers/meter';
import { closeFronts, head, openPeer, serve } from './front';

afterEach(async () => {
  provideEnv({ METRICS_TOKEN: '', TRUSTED_PROXIES: '' });
  await closeFronts();
  setMeter(undefined);
});

const local = { host: 'localhost:3000' };

const asked = (remoteAddress: string, headers: Record<string, string> = local, method = 'GET') =>
  mayReadMetrics({ method, headers, socket: { remoteAddress } });

test('without a token, this machine alone may read', () => {
  for (const address of ['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1']) {
    expect(asked(address)).toBe(true);
  }
  for (const address of ['10.0.0.1', '192.0.2.1', '::ffff:10.0.0.1', '']) {
    expect(asked(address)).toBe(false);
  }
});

test.each(['x-forwarded-for', 'forwarded', 'via', 'x-real-ip', 'x-forwarded-proto'])(
  'what a proxy of this machine hands on is not of this machine: %s',
  (name) => expect(asked('127.0.0.1', { ...local, [name]: '127.0.0.1' })).toBe(false),
);

test('a proxy that is known is told by its address, and one that keeps the name by the name', () => {
  expect(asked('127.0.0.1', { host: 'testimonials.example.com' })).toBe(false);
  expect(asked('127.0.0.1', {})).toBe(false);
  provideEnv({ TRUSTED_PROXIES: '127.0.0.0/8' });
  expect(asked('127.0.0.1')).toBe(false);
});

test('a token opens them from everywhere, and without it they are closed on this machine too', () => {
  provideEnv({ METRICS_TOKEN: 'a token of enough length' });
  const bearer = { authorization: 'Bearer a token of enough length' };
  expect(asked('192.0.2.1', { host: 'x', 'x-forwarded-for': '192.0.2.7', ...bearer })).toBe(true);
  expect(asked('127.0.0.1')).toBe(false);
  expect(asked('127.0.0.1', { ...local, authorization: 'Bearer another of the length' })).toBe(
    false,
  );
  expect(asked('192.0.2.1', { host: 'x', ...bearer }, 'POST')).toBe(false);
});

test('over a socket: whoever may not read is answered as for a path that is not there', async () => {
  const { port } = await serve({
    handleMetrics: async (_, response) => {
      response.end('metrics');
    },
    handleOther: async (_, response) => {
      response.end('nothing here');
    },
  });
  const get = async (...headers: string[]) => {
    const peer = openPeer(port, head('GET', '/api/metrics', 'Connection: close', ...headers));
    return (await peer.closed).split('\r\n\r\n')[1];
  };
  // The head of the helper names a host that is not this machine's.
  expect(await get()).toMatch('nothing here');
  provideEnv({ METRICS_TOKEN: 'a token of enough length' });
  expect(await get('Authorization: Bearer a token of enough length')).toMatch('metrics');
});

test('paths beside the API are counted in a few groups', () => {
  const paths = ['/api/trpc/spaces.list', '/api/trpcx', '/api/health/live', '/files/a/b', '/x/y'];
  expect(paths.map(groupOf)).toEqual(['/api/trpc', '/api', '/api/health', '/files', 'pages']);
});

/** The status that one request beside the API is counted as. */
function countedStatus(): Promise<number> {
  return new Promise((resolve) => {
    meterBy({ request: ({ status }) => resolve(status) });
  });
}

test('what was not answered is not counted as a success: its client left, or its handler failed', async () => {
  let handling = () => {};
  const { port } = await serve({
    handleOther: async ({ url }) => {
      handling();
      if (url === '/broken') throw new Error('it broke');
    },
  });
  const failed = countedStatus();
  await openPeer(port, head('GET', '/broken')).closed;
  expect(await failed).toBe(500);
  const left = countedStatus();
  const peer = openPeer(port, head('GET', '/slow'));
  await new Promise<void>((resolve) => {
    handling = resolve;
  });
  peer.socket.destroy();
  expect(await left).toBe(499);
  const answered = countedStatus();
  const { port: other } = await serve();
  openPeer(other, head('GET', '/'));
  expect(await answered).toBe(200);
});
