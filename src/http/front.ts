import { createServer, IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { bodyCap, isUpload, maxBodyBytes, readCapped, tooLarge } from '../api/body';
import { ApiError } from '../api/errors';
import { addressPrefix, clientAddress, keepTrustedForwarding } from '../api/forwarded';
import { log } from '../log';
import { findRoute, mountPath } from '../operations';
import { openHeaders } from '../rest/cors';
import { isRestTarget } from '../rest/node';
import { isDecodable, originForm } from '../rest/request-target';
import { type Arriving, type BodyMemoryLimits, createBodyMemory } from './body-memory';
import { boundConnections, type ConnectionLimits } from './connections';
import { mayReadMetrics, metricsPath } from './metrics-access';
import { observeOther } from './observe';
import { refuse, refuseConnection, refuseHost, refuseTarget } from './refuse';
import { type Listeners, noOtherListener, stopListening } from './stop-listening';
import { whenClosed } from './when-closed';

export type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export type FrontOptions = {
  /** Answers `/api/v1`, and caps its bodies itself, after authentication. */
  handleRest: Handler;
  /** Answers everything else, and is given no body above the cap of its path. */
  handleOther: Handler;
  /** Answers with the metrics whoever may read them; for others they are not there. */
  handleMetrics?: Handler;
  /** What answers in place of `handleOther`, where there is something. It is given any body. */
  besideNext?: (request: { method: string; path: string }) => Handler | undefined;
  limits: ConnectionLimits;
  bodyMemory: BodyMemoryLimits;
};

export type Front = {
  server: Server;
  /** Takes nothing new, and resolves once every answer under way is out. */
  stop: (others?: Listeners) => Promise<void>;
};

/** How long, at least, a client that keeps its connection may still send what crosses our stopping. */
const drainMs = 400;

/** Of a body that there was no room for. */
const retryAfterSeconds = 1;

/** The sockets of the long-lived process: the rules that hold whatever the path, and the ways in. */
export function createFront(options: FrontOptions): Front {
  const memory = createBodyMemory(options.bodyMemory);
  const answering = new Set<ServerResponse>();
  let isStopping = false;
  /** While there is one, what is asked waits for it. */
  let untilDeaf: Promise<unknown> | undefined;

  const server = createServer({
    connectionsCheckingInterval: options.limits.checkMs,
    keepAlive: true,
    // Node's own answer would have no body; see `hasHost`.
    requireHostHeader: false,
  });
  server.on('request', take);
  // What else than 100-continue is expected is passed over (RFC 9110, section 10.1.1).
  server.on('checkExpectation', (...exchange) => server.emit('request', ...exchange));
  const { closeIdle } = boundConnections(server, options.limits);
  refuseUnreadable(server);

  function take(request: IncomingMessage, response: ServerResponse): void {
    answering.add(response);
    whenClosed(response, () => answering.delete(response));
    if (isStopping) response.setHeader('Connection', 'close');
    const routed = untilDeaf?.then(() => route(request, response)) ?? route(request, response);
    routed.catch((error: unknown) => {
      if (error instanceof ApiError && !response.headersSent) {
        return refuse(response, error, corsHeaders(request.url ?? ''));
      }
      // The handlers answer their own failures; one that slips through must not end the process.
      if (!request.destroyed) log().error({ err: error }, 'request failed');
      response.destroy();
    });
  }

  async function route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const target = originForm(request.url ?? '');
    const isRest = target !== undefined && isRestTarget(target);
    // The API knows what each of its paths allows; a framework does not get past this method.
    if (request.method === 'TRACE' && !isRest) {
      response.setHeader('Allow', 'GET, HEAD, POST, PATCH, DELETE, OPTIONS');
      throw new ApiError('METHOD_NOT_ALLOWED');
    }
    if (!hasHost(request)) return refuseHost(response);
    if (target === undefined || !(isRest || isDecodable(target))) return refuseTarget(response);
    request.url = target;
    const [path = ''] = target.split('?', 1);
    if (path === metricsPath && options.handleMetrics && mayReadMetrics(request)) {
      return options.handleMetrics(request, response);
    }
    keepTrustedForwarding(request);
    takeMemory(request, response, path);
    if (isRest) return options.handleRest(request, response);
    observeOther(request, response);
    const handler = options.besideNext?.({ method: request.method ?? 'GET', path });
    if (handler) return handler(request, response);
    return options.handleOther(await withCap(request, path), response);
  }

  /** @throws ApiError OVERLOADED */
  function takeMemory(request: IncomingMessage, response: ServerResponse, path: string): void {
    const bytes = expectedBytes(request, path);
    if (bytes === 0) return;
    const free = memory.take(clientOf(request), bytes, arriving(request, response));
    if (!free) throw overloaded();
    // What is larger than any other body is in memory until it is answered.
    if (bytes <= maxBodyBytes) request.once('end', free);
    whenClosed(response, free);
  }

  return {
    server,
    stop: async (others = noOtherListener) => {
      // First, because whoever is told to leave comes back at once with a new connection. So does
      // whoever is answered over one for each request, and there would never be a turn without any.
      const deaf = stopListening(server, others);
      untilDeaf = deaf;
      const { gone } = await deaf;
      untilDeaf = undefined;
      isStopping = true;
      for (const response of answering) {
        if (!response.headersSent) response.setHeader('Connection', 'close');
      }
      // Between two looks at what arrives, so that no request is there that was not seen.
      const timer = setInterval(() => setImmediate(closeIdle), drainMs);
      await gone;
      clearInterval(timer);
    },
  };
}

function overloaded(): ApiError {
  return new ApiError('OVERLOADED', { retryAfterSeconds });
}

/** How much of a body is here, and what ends it: what is not read yet waits for us, not for its sender. */
function arriving(request: IncomingMessage, response: ServerResponse): Arriving {
  const { socket } = request;
  const before = socket.bytesRead;
  return {
    arrived: () =>
      request.complete || request.readableLength > 0 || response.headersSent
        ? undefined
        : socket.bytesRead - before,
    giveWay: () =>
      refuseConnection(socket, '503 Service Unavailable', overloaded().message, {
        code: 'OVERLOADED',
        headers: { 'Retry-After': String(retryAfterSeconds), ...corsHeaders(request.url ?? '') },
      }),
  };
}

/** Of the path that a request is for: browsers of other origins may read what some of them answer. */
function corsHeaders(target: string): Readonly<Record<string, string>> {
  if (!isRestTarget(target)) return {};
  const [path = ''] = target.slice(mountPath.length).split('?', 1);
  return findRoute(path)?.cors ? openHeaders : {};
}

/** RFC 9112, section 3.2: one, and from HTTP/1.1 on it must be there. */
function hasHost({ httpVersion, rawHeaders }: IncomingMessage): boolean {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count === 1 || (count === 0 && httpVersion === '1.0');
}

/** Who sent a request, as limits count. */
function clientOf({ headers }: IncomingMessage): string {
  const chain = String(headers['x-forwarded-for'] ?? '');
  return addressPrefix(clientAddress(new Headers({ 'x-forwarded-for': chain })));
}

/** What a body may come to take of the memory while it arrives; uploads go to the disk. */
function expectedBytes({ headers }: IncomingMessage, path: string): number {
  if (isUpload(path, headers['content-type'])) return 0;
  const isChunked = headers['transfer-encoding'] !== undefined;
  const length = isChunked ? Number.POSITIVE_INFINITY : Number(headers['content-length'] ?? 0);
  return Math.min(length, bodyCap(path));
}

/**
 * The request with a body of at most the cap of its path, whatever the handler does with it. A
 * body with a length has no byte more: Node reads it so. One without is read here, and handed on
 * as one with a length.
 * @throws ApiError PAYLOAD_TOO_LARGE
 */
async function withCap(request: IncomingMessage, path: string): Promise<IncomingMessage> {
  const { headers } = request;
  const type = headers['content-type'];
  const maxBytes = bodyCap(path, type);
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  if (headers['transfer-encoding'] === undefined || isUpload(path, type)) return request;
  const body = await readCapped(request.iterator({ destroyOnReturn: false }), maxBytes);
  const { 'transfer-encoding': _, ...others } = headers;
  const copy = new IncomingMessage(request.socket);
  const { method, url, httpVersion, httpVersionMajor, httpVersionMinor, rawHeaders } = request;
  Object.assign(copy, { method, url, httpVersion, httpVersionMajor, httpVersionMinor, rawHeaders });
  copy.headers = { ...others, 'content-length': String(body.byteLength) };
  copy.complete = true;
  copy.push(body);
  copy.push(null);
  return copy;
}

/** What Node cannot read as HTTP never becomes a request; it still gets our form of an error. */
function refuseUnreadable(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const [status, message] = unreadable.get(error.code) ?? [
      '400 Bad Request',
      'The request is not valid HTTP.',
    ];
    refuseConnection(socket, status, message);
  });
}

const unreadable = new Map<string | undefined, [status: string, message: string]>([
  [
    'HPE_HEADER_OVERFLOW',
    ['431 Request Header Fields Too Large', 'The address and headers of the request are too long.'],
  ],
  ['ERR_HTTP_REQUEST_TIMEOUT', ['408 Request Timeout', 'The request took too long to arrive.']],
]);
