import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { isUpload } from '../api/body';
import { isTrustedProxy } from '../api/forwarded';
import { placesByAddress } from './by-address';
import { refuseConnection } from './refuse';
import { createRests, type RestLimits } from './rests';
import { whenClosed } from './when-closed';

/** What a connection may take of the process. Times are in milliseconds. */
export type ConnectionLimits = RestLimits & {
  /** Open at once. */
  connections: number;
  /** Of one address that is no proxy of ours. */
  connectionsPerAddress: number;
  /** Until the headers of a request are there. */
  headersMs: number;
  /** Until the body of an upload is there. */
  uploadMs: number;
  /** Nothing taken or sent by the peer, when it is the peer's turn. */
  idleMs: number;
  /** Between two requests. */
  keepAliveMs: number;
  /** The same of a proxy of ours. */
  proxyKeepAliveMs: number;
  /** What an upload may bring, and an answer be taken, on average after the first `idleMs`. */
  bytesPerSecond: number;
  /** How often all this is looked at. */
  checkMs: number;
};

type Exchange = {
  request: IncomingMessage;
  response: ServerResponse;
  isUpload: boolean;
  startedAt: number;
  /** What the socket had read and written before. */
  readBefore: number;
  writtenBefore: number;
  /** When the answer was first seen waiting for the peer. */
  writingSince?: number;
};

type Connection = {
  socket: Socket;
  exchanges: Set<Exchange>;
  /** What it had brought when `closeIdle` last found it without a request. */
  readWhenIdle?: number;
};

/**
 * Sees to it that every connection of the server ends within a bounded time, unless it is our turn
 * to send, and that there are only so many. To be told by `begin` of each request that is taken.
 * `closeIdle` ends those that had no request under way the time before either, and have brought
 * nothing since: what was sent meanwhile, also to a process that the system kept from running, is seen
 * first.
 */
export function boundConnections(
  server: Server,
  limits: ConnectionLimits,
): {
  begin: (request: IncomingMessage, response: ServerResponse) => void;
  closeIdle: () => void;
} {
  const connections = new Map<Socket, Connection>();
  const byAddress = placesByAddress(limits.connectionsPerAddress);
  const rests = createRests(limits);

  server.maxConnections = limits.connections;
  server.headersTimeout = limits.headersMs;
  // Node's own is the same for every request; bodies that are no uploads are ended below.
  server.requestTimeout = limits.uploadMs;
  server.keepAliveTimeout = limits.keepAliveMs;
  server.timeout = limits.idleMs;

  server.on('connection', (socket: Socket) => {
    const leave = byAddress.take(socket.remoteAddress ?? '');
    if (!leave) {
      socket.destroy();
      return;
    }
    connections.set(socket, { socket, exchanges: new Set() });
    socket.once('close', () => {
      connections.delete(socket);
      leave();
    });
  });

  const begin = (request: IncomingMessage, response: ServerResponse) => {
    const exchanges = connections.get(request.socket)?.exchanges;
    if (!exchanges) return;
    const path = request.url?.split('?', 1)[0] ?? '';
    const exchange: Exchange = {
      request,
      response,
      isUpload: isUpload(path, request.headers['content-type']),
      startedAt: performance.now(),
      readBefore: request.socket.bytesRead,
      writtenBefore: request.socket.bytesWritten,
    };
    exchanges.add(exchange);
    // Before Node's own listener, which has the rest thrown away as fast as it comes.
    response.prependOnceListener('finish', () => {
      if (!request.complete) rests.take(request);
    });
    whenClosed(response, () => {
      exchanges.delete(exchange);
      if (!response.shouldKeepAlive || !isTrustedProxy(request.socket.remoteAddress ?? '')) return;
      // By now Node has set its own, and sets it back with the next request.
      const waitLonger = () => {
        if (exchanges.size === 0) request.socket.setTimeout(limits.proxyKeepAliveMs);
      };
      if (request.complete) waitLonger();
      else request.once('end', waitLonger);
    });
  };

  // Node's timer begins anew whenever the peer sends or takes something.
  server.on('timeout', (socket: Socket) => {
    const exchanges = connections.get(socket)?.exchanges;
    if (exchanges && isOurTurn(socket, exchanges)) socket.setTimeout(limits.idleMs);
    else if (exchanges && isUnanswered(exchanges)) refuseSlow(socket);
    else socket.destroy();
  });

  const timer = setInterval(() => {
    const now = performance.now();
    for (const { socket, exchanges } of connections.values()) {
      for (const exchange of exchanges) endIfOverdue(socket, exchange, limits, now);
    }
  }, limits.checkMs);
  timer.unref();
  server.once('close', () => clearInterval(timer));

  return {
    begin,
    closeIdle: () => {
      for (const connection of connections.values()) {
        const { socket, exchanges, readWhenIdle } = connection;
        if (exchanges.size > 0) continue;
        if (socket.bytesRead === readWhenIdle) socket.destroy();
        connection.readWhenIdle = socket.bytesRead;
      }
    },
  };
}

/** Whether a request is here as far as we asked for it, and no answer waits to be taken. */
function isOurTurn(socket: Socket, exchanges: Set<Exchange>): boolean {
  if (exchanges.size === 0 || socket.writableLength > 0) return false;
  return [...exchanges].every(({ request }) => request.complete || request.readableLength > 0);
}

/** A peer that always sends or takes a little resets every idle timer. */
function endIfOverdue(
  socket: Socket,
  exchange: Exchange,
  limits: ConnectionLimits,
  now: number,
): void {
  const { request, response, startedAt } = exchange;
  const timeFor = (bytes: number) => limits.idleMs + (bytes / limits.bytesPerSecond) * 1000;
  if (socket.writableLength > 0 && response.headersSent) {
    exchange.writingSince ??= now;
    const written = socket.bytesWritten - exchange.writtenBefore;
    if (now - exchange.writingSince > timeFor(written)) socket.destroy();
  }
  if (request.complete) return;
  const received = socket.bytesRead - exchange.readBefore;
  const allowedMs = exchange.isUpload ? timeFor(received) : limits.bodyMs;
  if (now - startedAt <= allowedMs) return;
  if (response.headersSent) socket.destroy();
  else refuseSlow(socket);
}

/** Whether the one request under way is not all here, and there is no answer that would be mixed up. */
function isUnanswered(exchanges: Set<Exchange>): boolean {
  const [exchange, ...others] = exchanges;
  if (!exchange || others.length > 0) return false;
  return !exchange.request.complete && !exchange.response.headersSent;
}

function refuseSlow(socket: Socket): void {
  refuseConnection(socket, '408 Request Timeout', 'The request took too long to arrive.');
}
