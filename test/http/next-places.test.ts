import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate as turnOfEventLoop } from 'node:timers/promises';
import { provideEnv } from '@/src/env';
import { createNextPlaces } from '@/src/http/next-places';
import { stopTimers } from '../helpers/clock';
import { promised } from '../helpers/promised';
import { until } from '../helpers/until';
import { closeFronts, head, openPeer, serve } from './front';

afterEach(closeFronts);
afterEach(() => provideEnv({ TRUSTED_PROXIES: '' }));
beforeEach(() => provideEnv({ TRUSTED_PROXIES: '127.0.0.0/8' }));

const get = (path: string, client: string) => head('GET', path, `X-Forwarded-For: ${client}`);

const last = '/_next/last';

/** A handler that holds what it is asked for, and says what it has begun. */
function holding() {
  const gate = promised<void>();
  const begun: string[] = [];
  const handleOther = async ({ url = '' }: IncomingMessage, response: ServerResponse) => {
    if (url === last) return void response.end();
    begun.push(url);
    await gate.promise;
    response.end(`page ${url}`);
  };
  /** Every request sent before this has been begun, if it may: what is no page goes in order. */
  const settled = async (port: number) => {
    await openPeer(port, head('GET', last, 'Connection: close')).closed;
  };
  return { begun, handleOther, letGo: gate.resolve, settled };
}

test('of pages that one client asks for, four are drawn at once; others get in meanwhile', async () => {
  const { begun, handleOther, letGo, settled } = holding();
  const { port } = await serve({ handleOther });
  const peers = [1, 2, 3, 4, 5, 6].map((number) => openPeer(port, get(`/${number}`, '192.0.2.1')));
  await settled(port);
  expect(begun).toHaveLength(4);
  const other = openPeer(port, get('/other', '192.0.2.2'));
  await settled(port);
  expect(begun).toHaveLength(5);
  expect(begun.at(-1)).toBe('/other');
  letGo();
  for (const peer of [...peers, other]) expect(await peer.until(/page \/\w+$/)).toMatch(/ 200 OK/);
});

test('the addresses of one IPv6 site are one client', async () => {
  const { begun, handleOther, letGo, settled } = holding();
  const { port } = await serve({ handleOther });
  for (const number of [1, 2, 3, 4, 5]) {
    openPeer(port, get(`/${number}`, `2001:db8:1:${number}::1`));
  }
  await settled(port);
  expect(begun).toHaveLength(4);
  openPeer(port, get('/other', '2001:db8:2:1::1'));
  await settled(port);
  expect(begun.at(-1)).toBe('/other');
  letGo();
});

test('of uploads that one client sends, four are begun at once, and its pages do not wait for them', async () => {
  const { begun, handleOther, letGo, settled } = holding();
  const { port } = await serve({ handleOther });
  const upload = head(
    'POST',
    '/api/trpc/uploads.file',
    'X-Forwarded-For: 192.0.2.1',
    'Content-Type: application/octet-stream',
    'Content-Length: 900000',
  );
  // More than is read ahead: nobody sees them leave.
  const bytes = upload + 'x'.repeat(200_000);
  for (let sent = 0; sent < 6; sent += 1) openPeer(port, bytes);
  await settled(port);
  expect(begun).toHaveLength(4);
  openPeer(port, get('/page', '192.0.2.1'));
  await settled(port);
  expect(begun.at(-1)).toBe('/page');
  letGo();
});

test.each(['/api/trpc/account.get', '/_next/static/a.js', '/api/auth/sign-out'])(
  'what is no page waits for none: %s',
  async (path) => {
    const { begun, handleOther, letGo, settled } = holding();
    const { port } = await serve({ handleOther });
    for (const number of [1, 2, 3, 4, 5]) openPeer(port, get(`/${number}`, '192.0.2.1'));
    await settled(port);
    openPeer(port, get(path, '192.0.2.1'));
    await settled(port);
    expect(begun.at(-1)).toBe(path);
    letGo();
  },
);

test.each(['/api/trpc/spaces.list', '/api/auth/sign-in/email', '/api/nowhere'])(
  'of what one client calls, four are begun at once; others get in meanwhile: %s',
  async (path) => {
    // A place is not given back by itself, however long the machine takes.
    stopTimers();
    const { begun, handleOther, letGo, settled } = holding();
    const { port } = await serve({ handleOther });
    const call = (client: string) => openPeer(port, get(path, client));
    const peers = Array.from({ length: 20 }, () => call('192.0.2.1'));
    await settled(port);
    expect(begun).toHaveLength(4);
    const other = call('192.0.2.2');
    await settled(port);
    expect(begun).toHaveLength(5);
    letGo();
    for (const peer of [...peers, other]) expect(await peer.until(/page \S+$/)).toMatch(/ 200 OK/);
    jest.useRealTimers();
  },
);

test.each(['/api/trpc/spaces.list', '/api/auth/sign-in/email'])(
  'a call that takes long gives its place back before it is answered: %s',
  async (path) => {
    const { begun, handleOther } = holding();
    const { port } = await serve({ handleOther });
    for (let call = 0; call < 5; call += 1) openPeer(port, get(path, '192.0.2.1'));
    await until(() => begun.length === 5);
  },
);

test('a page is not drawn whose client has left while it waited', async () => {
  const { begun, handleOther, letGo, settled } = holding();
  const { port, front } = await serve({ handleOther });
  for (const number of [1, 2, 3, 4]) openPeer(port, get(`/${number}`, '192.0.2.1'));
  await settled(port);
  const closed = new Promise((resolve) => {
    front.server.once('connection', (socket) => socket.once('close', resolve));
  });
  const leaving = openPeer(port, get('/left', '192.0.2.1'));
  await settled(port);
  leaving.socket.destroy();
  await closed;
  const after = openPeer(port, get('/after', '192.0.2.1'));
  letGo();
  await after.until(/page \/after$/);
  expect(begun).not.toContain('/left');
});

test('a page that takes long gives its place back before it is done', async () => {
  stopTimers();
  const places = createNextPlaces();
  const never = new Promise<void>(() => {});
  const stays = () => {};
  for (let page = 0; page < 4; page += 1) void places.enter('a', stays, () => never);
  const drawn = jest.fn(async () => {});
  const waited = places.enter('a', stays, drawn);
  await turnOfEventLoop();
  expect(drawn).not.toHaveBeenCalled();
  await jest.advanceTimersByTimeAsync(2_000);
  await waited;
  expect(drawn).toHaveBeenCalledTimes(1);
  jest.useRealTimers();
});

test('a page that has given its place back gives none as it is done', async () => {
  stopTimers();
  const places = createNextPlaces();
  const stays = () => {};
  const drawn = promised<void>();
  const long = [1, 2, 3, 4].map(() => places.enter('a', stays, () => drawn.promise));
  await jest.advanceTimersByTimeAsync(2_000);
  drawn.resolve();
  await Promise.all(long);
  const draw = jest.fn(() => new Promise<void>(() => {}));
  for (let page = 0; page < 8; page += 1) void places.enter('a', stays, draw);
  await turnOfEventLoop();
  expect(draw).toHaveBeenCalledTimes(4);
  jest.useRealTimers();
});
