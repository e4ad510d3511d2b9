import { createLog } from '@/src/logging/log';
import { singleton } from '@/src/singleton';
import { closeFronts, head, openPeer, serve, wideLimits } from './front';

const lines: { msg: string; err?: { message: string } }[] = [];
singleton('log', () => createLog('info', { write: (line) => lines.push(JSON.parse(line)) }));

beforeEach(() => {
  lines.length = 0;
});

afterEach(closeFronts);

const path = '/api/trpc/spaces.create';
const whole = `${head('POST', path, 'Content-Length: 2')}{}`;
const part = `${head('POST', path, 'Content-Length: 9')}{`;

test.each([
  ['without a body', head('GET', '/')],
  ['with a body', whole],
])('a handler that fails at a request %s has a line of the log', async (_, request) => {
  const { port } = await serve({
    handleOther: async () => {
      throw new Error('it broke');
    },
  });
  expect(await openPeer(port, request).closed).toBe('');
  expect(lines).toMatchObject([{ msg: 'request failed', err: { message: 'it broke' } }]);
});

test('a client that leaves in the middle of its body has none', async () => {
  const { front, port } = await serve();
  const peer = openPeer(port, part);
  const gone = new Promise((done) =>
    front.server.once('request', ({ socket }) => socket.once('close', done)),
  );
  front.server.once('request', () => peer.socket.destroy());
  await gone;
  await new Promise((turn) => setImmediate(turn));
  expect(lines).toEqual([]);
});

test('a body that comes too slowly has none', async () => {
  const { port } = await serve({ limits: { ...wideLimits, bodyMs: 50 } });
  const peer = openPeer(port, part);
  expect(await peer.until(/\}$/)).toMatch(/^HTTP\/1\.1 408 /);
  peer.socket.write('"a":"b"}');
  await peer.closed;
  await new Promise((turn) => setImmediate(turn));
  expect(lines).toEqual([]);
});
