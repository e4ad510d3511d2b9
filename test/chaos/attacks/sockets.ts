/** Attacks below HTTP, or at its edge: what is sent without end, too slowly, or is never read. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { anyLoopbackAddress, makeTenant } from '../tenant';
import type { Report, Target } from './attacker';

const mebibyte = 1024 ** 2;

/** What one body may bring before the attacker gives up. */
const bodyBytes = 250 * mebibyte;
/** Longer than every bound of a connection. */
const patienceMs = 75_000;

/** Of each kind of path: who goes to the next once refused, and who goes on sending. */
const leaving = 2;
const staying = 10;

/** Chunked bodies to every kind of path, with and without an account. */
export async function bodies({ port, seconds }: Target): Promise<Report> {
  const { cookie, key } = await makeTenant(() => port);
  const targets = [
    ['/api/auth/sign-out', ''],
    ['/api/auth/sign-in/email', ''],
    ['/api/trpc/spaces.create', `Cookie: ${cookie}\r\n`],
    ['/api/v1/spaces', `Authorization: Bearer ${key}\r\n`],
    ['/docs', ''],
  ] as const;
  const endAt = performance.now() + seconds * 1000;
  const statuses = new Map<string, number>();
  let bytes = 0;
  let whole = 0;
  const stream = async (path: string, headers: string, isStaying: boolean) => {
    while (performance.now() < endAt) {
      const { sent, answer } = await sendEndlessBody({ port, path, headers, isStaying });
      bytes += sent;
      if (sent >= bodyBytes) whole += 1;
      const status = answer.slice(9, 12) || 'none';
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(
    targets.flatMap(([path, headers]) =>
      Array.from({ length: leaving + staying }, (_, index) =>
        stream(path, headers, index >= leaving),
      ),
    ),
  );
  return {
    note: `${Math.round(bytes / mebibyte)} MB taken, answers ${describe(statuses)}`,
    problems: whole > 0 ? [`${whole} bodies of ${bodyBytes / mebibyte} MB were taken`] : [],
  };
}

type EndlessBody = { port: number; path: string; headers: string; isStaying: boolean };

function sendEndlessBody({ port, path, headers, isStaying }: EndlessBody) {
  const chunk = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(65_536, 'a'), crlf]);
  return new Promise<{ sent: number; answer: string }>((resolve) => {
    let answer = '';
    const socket = open(port, () => {
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${headers}` +
          'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
      );
      push();
    });
    const push = () => {
      if (socket.destroyed) return;
      if (socket.bytesWritten >= bodyBytes) socket.destroy();
      else if (socket.write(chunk)) setImmediate(push);
      else socket.once('drain', push);
    };
    socket.on('data', (data) => {
      answer += data.toString('latin1');
      if (!isStaying) socket.destroy();
    });
    socket.on('close', () => resolve({ sent: socket.bytesWritten, answer }));
    socket.setTimeout(patienceMs, () => socket.destroy());
  });
}

const crlf = Buffer.from('\r\n');

/** Bytes that are no HTTP, from peers that never close their side. */
export async function garbage({ port, seconds }: Target): Promise<Report> {
  const rounds = Math.max(1, Math.floor(seconds / 3));
  let opened = 0;
  let stayed = 0;
  for (let round = 0; round < rounds; round++) {
    const sockets = Array.from({ length: 300 }, () =>
      open(port, (socket) => socket.write('\u0016\u0003\u0001 hello\r\n\r\n')),
    );
    opened += sockets.length;
    stayed += await stillOpen(sockets, 8_000);
  }
  return report(opened, stayed);
}

/** Many requests in one piece, for pages and for data, of peers that leave at once and of others that stay. */
export async function pipelined({ port, seconds }: Target): Promise<Report> {
  const endAt = performance.now() + seconds * 1000;
  let opened = 0;
  const sendMany = async (path: string, count: number, staysMs: number) => {
    while (performance.now() < endAt) {
      opened += 1;
      const bytes = `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(count);
      const socket = open(port, () => socket.write(bytes));
      await Promise.race([once(socket, 'close'), sleep(staysMs)]);
      socket.destroy();
      // A flood would show how fast the machine is, and not what one connection may take.
      await sleep(200);
    }
  };
  const paths = ['/sign-in', '/api/v1/testimonials', '/api/trpc/account.get', '/files/x'];
  await Promise.all(paths.flatMap((path) => [sendMany(path, 400, 20), sendMany(path, 30, 20_000)]));
  return { note: `${opened} connections`, problems: [] };
}

/** 600 connections, each with a way of its own to take long. */
export async function slow({ port }: Target): Promise<Report> {
  const { key } = await makeTenant(() => port);
  const authorization = `Authorization: Bearer ${key}\r\n`;
  const headers = Array.from({ length: 400 }, () =>
    open(port, (socket) => drip(socket, 'GET /api/v1/spaces HTTP/1.1\r\nHost: x\r\nX-A: ')),
  );
  const bodies = Array.from({ length: 100 }, () =>
    open(port, (socket) =>
      drip(
        socket,
        `POST /api/v1/spaces HTTP/1.1\r\nHost: x\r\n${authorization}` +
          'Content-Type: application/json\r\nContent-Length: 20000\r\n\r\n{',
      ),
    ),
  );
  const unread = Array.from({ length: 100 }, () =>
    open(port, (socket) => {
      socket.pause();
      socket.write('GET /api/v1/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(30));
    }),
  );
  const sockets = [...headers, ...bodies, ...unread];
  return report(sockets.length, await stillOpen(sockets, patienceMs));
}

function open(port: number, connected: (socket: Socket) => void): Socket {
  const socket = connect(
    { port, host: '127.0.0.1', localAddress: anyLoopbackAddress(), allowHalfOpen: true },
    () => connected(socket),
  );
  socket.on('error', () => {});
  return socket.resume();
}

/** A byte every half second. */
function drip(socket: Socket, start: string): void {
  socket.write(start);
  const timer = setInterval(() => socket.write('a'), 500);
  socket.once('close', () => clearInterval(timer));
}

/** Waits until the other side has ended them all, at most so long. Returns how many it has not. */
async function stillOpen(sockets: Socket[], timeoutMs: number): Promise<number> {
  const deadline = performance.now() + timeoutMs;
  const isEnded = (socket: Socket) => socket.destroyed || socket.readableEnded;
  while (performance.now() < deadline && !sockets.every(isEnded)) {
    await sleep(100);
    // Who reads nothing learns of the end only by reading at last.
    if (performance.now() > deadline - timeoutMs / 3) for (const socket of sockets) socket.resume();
  }
  const count = sockets.filter((socket) => !isEnded(socket)).length;
  for (const socket of sockets) socket.destroy();
  return count;
}

function report(opened: number, stayed: number): Report {
  return {
    note: `${opened} connections, all ended by the service`,
    problems: stayed > 0 ? [`${stayed} of ${opened} connections stayed`] : [],
  };
}

function describe(statuses: Map<string, number>): string {
  return [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ');
}
