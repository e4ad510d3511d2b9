import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { isUpload } from '../api/body';
import { isTrustedProxy } from '../api/forwarded';
import { whenClosed } from '../rest/when-closed';
import { placesByAddress } from './by-address';
import { createLeftovers, type LeftoverLimits } from './leftovers';
import { refuseConnection } from './refuse';
import { createWakingClock } from './waking-clock';

/** What a connection may take of the process. Times are in milliseconds. */
export type ConnectionLimits = LeftoverLimits & {
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
  /** Between two requests; clients are told of it. */
  keepAliveMs: number;
  /** The same while no more than so many are open. */
  roomyKeepAliveMs: number;
  roomyConnections: number;
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
  /** As all times here by the clock of a process that runs. */
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
  /** How often the process had stood still when this was last allowed for. */
  stops: number;
  /** Of a head that was late: until when the rest is still awaited. */
  late?: { until: number; refuse: () => void };
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
  /** Has what is refused already end as soon from a proxy as from others: for a stop. */
  hurry: () => void;
  /** Refuses a connection whose head is late by the server's clock, unless it has arrived in time. */
  refuseLate: (socket: Duplex, refuse: () => void) => void;
} {
  const connections = new Map<Duplex, Connection>();
  const clock = createWakingClock(limits.checkMs);
  const byAddress = placesByAddress(limits.connectionsPerAddress);
  const leftovers = createLeftovers(limits);

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
    connections.set(socket, { socket, exchanges: new Set(), stops: clock.stops() });
    socket.once('close', () => {
      connections.delete(socket);
      leave();
    });
  });

  const begin = (request: IncomingMessage, response: ServerResponse) => {
    const connection = connections.get(request.socket);
    if (!connection) return;
    const { exchanges } = connection;
    connection.late = undefined;
    const path = request.url?.split('?', 1)[0] ?? '';
    const exchange: Exchange = {
      request,
      response,
      isUpload: isUpload(path, request.headers['content-type']),
      startedAt: clock.now(),
      readBefore: request.socket.bytesRead,
      writtenBefore: request.socket.bytesWritten,
    };
    exchanges.add(exchange);
    // Before Node's own listener, which has the rest thrown away as fast as it comes.
    response.prependOnceListener('finish', () => {
      if (!request.complete) leftovers.take(request);
    });
    whenClosed(response, () => {
      exchanges.delete(exchange);
      const longerMs = response.shouldKeepAlive && keptLongerMs(request.socket);
      if (!longerMs) return;
      // By now Node has set its own, and sets it back with the next request.
      const waitLonger = () => {
        if (exchanges.size === 0) request.socket.setTimeout(longerMs);
      };
      if (request.complete) waitLonger();
      else request.once('end', waitLonger);
    });
  };

  /** Undefined where it is kept as long as its client is told, and a second more. */
  const keptLongerMs = ({ remoteAddress = '' }: Socket) => {
    if (isTrustedProxy(remoteAddress)) return limits.proxyKeepAliveMs;
    return connections.size <= limits.roomyConnections ? limits.roomyKeepAliveMs : undefined;
  };

  /** Whether the process has stood still of late: what was on its way has as long again. */
  const isToAllow = (connection: Connection) => {
    const stops = clock.stops();
    const isNew = connection.stops !== stops;
    connection.stops = stops;
    return isNew;
  };

  // Node's timer begins anew whenever the peer sends or takes something. What it did meanwhile is seen
  // by the end of this turn.
  server.on('timeout', (socket: Socket) => {
    const connection = connections.get(socket);
    if (!connection) return void socket.destroy();
    const { exchanges } = connection;
    const before = traffic(socket);
    if (isToAllow(connection)) return void socket.setTimeout(socket.timeout ?? limits.idleMs);
    setImmediate(() => {
      if (socket.destroyed || traffic(socket) !== before) return;
      if (isOurTurn(socket, exchanges)) socket.setTimeout(limits.idleMs);
      else if (isUnanswered(exchanges)) refuseSlow(socket);
      else socket.destroy();
    });
  });

  const refuseLate = (socket: Duplex, refuse: () => void) => {
    const connection = connections.get(socket);
    // A body that is late, or what follows upon it.
    if (!connection || connection.exchanges.size > 0) return refuse();
    const moreMs = isToAllow(connection) ? limits.headersMs : 0;
    connection.late = { until: clock.now() + moreMs, refuse };
    setImmediate(() => endIfLate(connection));
  };

  const endIfLate = (connection: Connection) => {
    if (!connection.late || clock.now() < connection.late.until) return;
    connection.late.refuse();
    connection.late = undefined;
  };

  const lookAtAll = () => {
    const passedMs = clock.look();
    const now = clock.now();
    for (const connection of connections.values()) {
      endIfLate(connection);
      for (const exchange of connection.exchanges) {
        if (isFull(exchange.request)) exchange.startedAt += passedMs;
        endIfOverdue(connection.socket, exchange, limits, now);
      }
    }
  };
  // Behind what has arrived by then.
  const timer = setInterval(() => setImmediate(lookAtAll), limits.checkMs);
  timer.unref();
  server.once('close', () => clearInterval(timer));

  return {
    begin,
    refuseLate,
    hurry: leftovers.hurry,
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

/** Another one whenever something came or went. */
function traffic({ bytesRead, bytesWritten, writableLength }: Socket): string {
  return `${bytesRead} ${bytesWritten} ${writableLength}`;
}

/** Whether as much of the body waits for us as is taken ahead: no more of it is read from the connection. */
function isFull({ readableLength, readableHighWaterMark }: IncomingMessage): boolean {
  return readableLength >= readableHighWaterMark;
}

/** Whether the one request under way is not all here, and there is no answer that would be mixed up. */
function isUnanswered(exchanges: Set<Exchange>): boolean {
  const [exchange] = exchanges;
  // Behind one that is not all here none is read: where there are others, the first is.
  return exchange?.request.complete === false && !exchange.response.headersSent;
}

function refuseSlow(socket: Socket): void {
  refuseConnection(socket, '408 Request Timeout', 'The request took too long to arrive.');
}
