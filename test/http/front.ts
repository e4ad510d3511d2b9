import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { createFront, type Front, type FrontOptions } from '@/src/http/front';
import { connectionLimits } from '@/src/http/limits';
import { listen } from '../helpers/listening';

const miB = 1024 ** 2;

/**
 * Half of the shortest time that a test gives a connection. A process that stands still for twice as long
 * gives everybody as long again: on a crowded machine any less has no connection end for minutes.
 */
const checkMs = 50;

/** No bound of these is reached in a test that is about another. */
export const wideLimits = { ...connectionLimits(1000, 10_000), checkMs };

type Served = { front: Front; port: number; open: () => Promise<number> };

const running = new Set<Front>();
const peers = new Set<Socket>();

/** A front on a port of its own, whose handlers answer `ok` unless told otherwise. */
export async function serve(options: Partial<FrontOptions> = {}): Promise<Served> {
  const front = createFront({
    handleRest: answerOk,
    handleOther: answerOk,
    limits: wideLimits,
    bodyMemory: { totalBytes: 64 * miB, clientBytes: 64 * miB },
    ...options,
  });
  running.add(front);
  return {
    front,
    port: await listen(front.server),
    open: () =>
      new Promise((resolve, reject) => {
        front.server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
      }),
  };
}

/** For afterEach. */
export async function closeFronts(): Promise<void> {
  for (const { server } of running) server.closeAllConnections();
  await Promise.all([...running].map(({ server }) => new Promise((done) => server.close(done))));
  running.clear();
  for (const socket of peers) socket.destroy();
  peers.clear();
}

export async function answerOk(_: IncomingMessage, response: ServerResponse): Promise<void> {
  response.end('ok');
}

/**
 * Lets the peer of each request say nothing for so long. As `idleMs` of the limits it would count from
 * the connection on, and end one whose request is read late.
 */
export function boundIdle({ server }: Front, idleMs: number): void {
  server.prependListener('request', ({ socket }: IncomingMessage) => socket.setTimeout(idleMs));
}

export const kiB = 1024;

/** Answers with what it was given. */
export async function echo(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const part of request) chunks.push(part);
  const { method, url, headers } = request;
  const length = headers['content-length'];
  const encoding = headers['transfer-encoding'];
  const body = Buffer.concat(chunks).toString();
  response.end(JSON.stringify({ method, url, length, encoding, body }));
}

/** A connection that closes its own side only after the test, and all that has come over it. */
export type Peer = {
  socket: Socket;
  received: () => string;
  /** Resolves once what has come matches. */
  until: (pattern: RegExp) => Promise<string>;
  /** Resolves with all that came, once the other side has closed. */
  closed: Promise<string>;
};

export function openPeer(port: number, bytes = ''): Peer {
  let text = '';
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  peers.add(socket);
  socket.setEncoding('latin1');
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.on('error', () => {});
  if (bytes) socket.write(bytes, 'latin1');
  return {
    socket,
    received: () => text,
    until: async (pattern) => {
      while (!pattern.test(text)) {
        if (socket.readableEnded || socket.destroyed) throw new Error(`Closed after "${text}"`);
        await Promise.race([once(socket, 'data'), once(socket, 'end'), once(socket, 'close')]);
      }
      return text;
    },
    closed: new Promise((done) => {
      socket.once('end', () => done(text));
      socket.once('close', () => done(text));
    }),
  };
}

export function head(method: string, path: string, ...headers: string[]): string {
  return [`${method} ${path} HTTP/1.1`, 'Host: x', ...headers, '', ''].join('\r\n');
}

export function chunk(text: string): string {
  return `${text.length.toString(16)}\r\n${text}\r\n`;
}

export const lastChunk = '0\r\n\r\n';
