import { EventEmitter, once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createNewcomersFirst } from '@/src/http/newcomers-first';
import { wholeTurn } from '@/src/http/stop-listening';
import { stopTimers } from '../helpers/clock';
import { closeFronts, head, openPeer, serve } from './front';

afterEach(closeFronts);

const never = () => false;

/** As many requests, each over a connection of its own, whose clients leave once they have sent it. */
async function askAndLeave(port: number, count: number, bytes: string): Promise<void> {
  const left = Array.from({ length: count }, () => {
    const { socket } = openPeer(port);
    socket.write(bytes, () => socket.destroy());
    return once(socket, 'close');
  });
  await Promise.all(left);
}

test.each([
  ['a page', head('GET', '/sign-in')],
  ['a page with a body that stops', `${head('POST', '/sign-in', 'Content-Length: 9')}abc`],
  ['a call', head('GET', '/api/trpc/account.get')],
  ['a call with a body', `${head('POST', '/api/trpc/spaces.create', 'Content-Length: 2')}{}`],
  ['a file of the build', head('GET', '/_next/static/a.js')],
])('Next is not handed what was asked for by clients that have left: %s', async (_, bytes) => {
  const begun: unknown[] = [];
  const { port } = await serve({
    handleOther: async ({ socket }, response) => {
      begun.push(socket);
      response.end();
    },
  });
  await askAndLeave(port, 50, bytes);
  // Comes in behind them.
  await openPeer(port, head('GET', '/', 'Connection: close')).closed;
  expect(begun).toHaveLength(1);
});

test('who waits at the port is let in before anything is begun, and between two that are', async () => {
  // On a busy machine they would wait for long, and not let others in first any more.
  const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now());
  let accepted = 0;
  let opened = 0;
  const missed: number[] = [];
  const newcomers = (count: number, port: number, bytes?: string) => {
    opened += count;
    return Array.from({ length: count }, () => openPeer(port, bytes));
  };
  const { port, front } = await serve({
    handleOther: async ({ socket }: IncomingMessage, response: ServerResponse) => {
      missed.push(opened - accepted);
      newcomers(3, socket.localPort ?? 0);
      response.end('drawn');
    },
  });
  front.server.on('connection', () => {
    accepted += 1;
  });
  const peers = newcomers(20, port, head('GET', '/api/trpc/account.get'));
  for (const peer of peers) await peer.until(/drawn$/);
  expect(missed).toEqual(Array(20).fill(0));
  clock.mockRestore();
});

describe('where no turn is without a new connection', () => {
  test('what has waited for long is begun, one in a turn', async () => {
    const server = new EventEmitter();
    const newcomersFirst = createNewcomersFirst(server as Server, 20);
    const begun: number[] = [];
    const startedAt = performance.now();
    const all = [1, 2, 3].map(async (each) => {
      await newcomersFirst(never);
      begun.push(each);
    });
    const done = Promise.all(all).then(() => 'done');
    const most: number[] = [];
    for (let before = 0; begun.length < 3; before = begun.length) {
      server.emit('connection');
      await wholeTurn();
      most.push(begun.length - before);
    }
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(20);
    expect(Math.max(...most)).toBe(1);
    expect(begun).toEqual([1, 2, 3]);
    expect(await done).toBe('done');
  });
});

test('on a quiet service one waits for no timer', async () => {
  stopTimers();
  const newcomersFirst = createNewcomersFirst(new EventEmitter() as Server);
  expect(await newcomersFirst(never)).toBe(true);
  expect(await newcomersFirst(() => true)).toBe(false);
  jest.useRealTimers();
});

test('whoever leaves in the turn after asking is seen to, however much was begun before', async () => {
  const newcomersFirst = createNewcomersFirst(new EventEmitter() as Server);
  for (const before of [true, true]) expect(await newcomersFirst(never)).toBe(before);
  let hasLeft = false;
  const begins = newcomersFirst(() => hasLeft);
  await wholeTurn();
  hasLeft = true;
  expect(await begins).toBe(false);
});
