import { createServer, IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { bodyCap, isUpload, largeBodyBytes, readCapped, tooLarge } from '../api/body';
import { ApiError } from '../api/errors';
import { addressSite, clientAddress, keepTrustedForwarding } from '../api/forwarded';
import { log } from '../logging/log';
import { isRestTarget } from '../rest/node';
import { hasTooManyParameters, isDecodable, originForm } from '../rest/request-target';
import { whenClosed } from '../rest/when-closed';
import { type BodyMemoryLimits, createBodyMemory } from './body-memory';
import { boundConnections, type ConnectionLimits } from './connections';
import { oneAfterTheOther } from './in-order';
import { mayReadMetrics, metricsPath } from './metrics-access';
import { createNewcomersFirst } from './newcomers-first';
import { createNextPlaces, longestCallMs } from './next-places';
import { observeOther } from './observe';
import { endIfAnsweredEarly } from './offered-upgrade';
import {
  isRefused,
  refuse,
  refuseCoding,
  refuseConnection,
  refuseHost,
  refuseTarget,
} from './refuse';
import { type Listeners, noOtherListener, stopListening } from './stop-listening';

export type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

type RestHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  body: AsyncIterable<Uint8Array>,
) => Promise<void>;

export type FrontOptions = {
  /** Answers `/api/v1`, and caps its bodies itself, after authentication. It reads `body` alone. */
  handleRest: RestHandler;
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

/** The sockets of the long-lived process: the rules that hold whatever the path, and the ways in. */
export function createFront(options: FrontOptions): Front {
  const memory = createBodyMemory(options.bodyMemory);
  const pages = createNextPlaces();
  // Nobody sees who sends one leave before it is read.
  const uploads = createNextPlaces();
  const calls = createNextPlaces({ givenBackAfterMs: longestCallMs });
  // Those who sign in wait for a turn to compare passwords: of many, pages shall not wait for them.
  const signIns = createNextPlaces({ givenBackAfterMs: longestCallMs });
  const answering = new Set<ServerResponse>();
  let isStopping = false;
  /** While a stop is still letting in who waits at the port: requests wait for its end. */
  let untilNotListening: Promise<unknown> | undefined;

  const server = createServer({
    connectionsCheckingInterval: options.limits.checkMs,
    keepAlive: true,
    // Node's own answer would have no body; see `hasHost`.
    requireHostHeader: false,
  });
  // Node leaves out those behind the first 1,000: a key, or what a proxy says of the client. How long a
  // head may be bounds them.
  server.maxHeadersCount = 0;
  const newcomersFirst = createNewcomersFirst(server);
  const inOrder = oneAfterTheOther(take);
  server.on('request', inOrder.take);
  // What else than 100-continue is expected is passed over (RFC 9110, section 10.1.1).
  server.on('checkExpectation', (...exchange) => server.emit('request', ...exchange));
  const { begin, closeIdle, hurry, refuseLate } = boundConnections(server, options.limits);
  refuseUnreadable(server, inOrder.refuseInTurn, refuseLate);

  function take(request: IncomingMessage, response: ServerResponse): void {
    begin(request, response);
    answering.add(response);
    whenClosed(response, () => answering.delete(response));
    endIfAnsweredEarly(request, response);
    if (isStopping) response.setHeader('Connection', 'close');
    const routed =
      untilNotListening?.then(() => route(request, response)) ?? route(request, response);
    routed.catch((error: unknown) => {
      if (error instanceof ApiError && !response.headersSent) {
        return refuse(response, error);
      }
      // The handlers answer their own failures; one that slips through must not end the process.
      if (!hasLeft(request)) {
        log().error({ err: error }, 'request failed');
        // Nobody is sent it, but it is counted as what it was.
        if (!response.headersSent) response.statusCode = 500;
      }
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
    if (hasUnknownCoding(request)) return refuseCoding(response);
    if (target === undefined || !(isRest || isDecodable(target))) return refuseTarget(response);
    request.url = target;
    const [path = ''] = target.split('?', 1);
    if (path === metricsPath && options.handleMetrics && mayReadMetrics(request)) {
      return options.handleMetrics(request, response);
    }
    keepTrustedForwarding(request);
    if (isRest) return options.handleRest(request, response, bodyOf(request, response));
    return routeOther(request, response, { target, path });
  }

  /** What is no request to the API: to pages, what they load and call, and files. */
  async function routeOther(
    request: IncomingMessage,
    response: ServerResponse,
    { target, path }: { target: string; path: string },
  ): Promise<void> {
    observeOther(request, response);
    const handler = options.besideNext?.({ method: request.method ?? 'GET', path });
    if (handler) return handler(request, response);
    if (hasTooManyParameters(target)) return refuseTarget(response);
    const capped = await withCap(request, path, () => bodyOf(request, response));
    leaveNoAction(capped, path);
    const handle = async () => {
      const isToBegin = await newcomersFirst(() => hasLeft(request));
      if (isToBegin) await options.handleOther(capped, response);
    };
    const places = placesOf(path, request.headers['content-type']);
    if (!places) return handle();
    return places.enter(clientOf(request), (listener) => whenClosed(response, listener), handle);
  }

  function placesOf(path: string, type: string | undefined) {
    if (isPage(path)) return pages;
    if (isUpload(path, type)) return uploads;
    if (path.startsWith('/api/auth/')) return signIns;
    return path.startsWith('/api/') ? calls : undefined;
  }

  /**
   * The body of a request, which counts as it is read. Lazily: one that nobody reads costs nothing.
   * @throws ApiError OVERLOADED
   */
  async function* bodyOf(request: IncomingMessage, response: ServerResponse) {
    const share = memory.open(clientOf(request));
    whenClosed(response, share.free);
    let bytes = 0;
    // Leaving early must not cut the connection: why it is refused is still to be read.
    for await (const piece of request.iterator({ destroyOnReturn: false })) {
      const arrived: Uint8Array = piece;
      bytes += arrived.byteLength;
      share.add(arrived.byteLength);
      yield arrived;
    }
    if (isRefused(request.socket)) throw new Error('The body came after it was refused.');
    // What is large is in memory until it is answered: it waits for its turn, and so does the change.
    if (bytes < largeBodyBytes) share.free();
  }

  return {
    server,
    stop: async (others = noOtherListener) => {
      // First, because whoever is told to leave comes back at once with a new connection. So does
      // whoever is answered over one for each request, and there would never be a turn without any.
      const notListening = stopListening(server, others);
      untilNotListening = notListening;
      const { gone } = await notListening;
      untilNotListening = undefined;
      isStopping = true;
      hurry();
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

/** Whether nobody takes an answer any more. The request itself is destroyed also once it was read whole. */
function hasLeft({ socket }: IncomingMessage): boolean {
  return !socket.writable;
}

/** Whether a path is drawn by Next, and is neither data nor a file of a build. */
function isPage(path: string): boolean {
  return !/^\/(?:api|_next)(?:\/|$)/.test(path);
}

/**
 * No page has a server action. Next looks for one by these headers and, where it finds none, prints
 * lines beside the log, with what the sender wrote in them. Below `/api/` a form is no action.
 */
function leaveNoAction({ headers }: IncomingMessage, path: string): void {
  delete headers['next-action'];
  if (!path.startsWith('/api/')) delete headers['content-type'];
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

/** RFC 9112, section 6.1: `gzip, chunked` would be read as what it is not. */
function hasUnknownCoding({ headers }: IncomingMessage): boolean {
  return (headers['transfer-encoding'] ?? 'chunked').trim().toLowerCase() !== 'chunked';
}

/** Who sent a request, as limits count. */
function clientOf({ headers }: IncomingMessage): string {
  const chain = String(headers['x-forwarded-for'] ?? '');
  return addressSite(clientAddress(new Headers({ 'x-forwarded-for': chain })));
}

/**
 * The request with a body of at most the cap of its path, whatever the handler does with it: it is
 * read here, and handed on as one with a length. An upload goes to the disk as it comes.
 * @throws ApiError PAYLOAD_TOO_LARGE, OVERLOADED
 */
async function withCap(
  request: IncomingMessage,
  path: string,
  read: () => AsyncIterable<Uint8Array>,
): Promise<IncomingMessage> {
  const { headers } = request;
  const type = headers['content-type'];
  const maxBytes = bodyCap(path, type);
  const length = Number(headers['content-length'] ?? 0);
  if (length > maxBytes) throw tooLarge(maxBytes);
  const isEmpty = length === 0 && headers['transfer-encoding'] === undefined;
  if (isEmpty || isUpload(path, type)) return request;
  const body = await readCapped(read(), maxBytes);
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
function refuseUnreadable(
  server: Server,
  inTurn: (socket: Duplex, answer: () => void) => void,
  ifLate: (socket: Duplex, refuse: () => void) => void,
): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const [status, message] = unreadable.get(error.code) ?? [
      '400 Bad Request',
      'The request is not valid HTTP.',
    ];
    const refuse = () => inTurn(socket, () => refuseConnection(socket, status, message));
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') ifLate(socket, refuse);
    else refuse();
  });
}

const unreadable = new Map<string | undefined, [status: string, message: string]>([
  [
    'HPE_HEADER_OVERFLOW',
    ['431 Request Header Fields Too Large', 'The address and headers of the request are too long.'],
  ],
  ['ERR_HTTP_REQUEST_TIMEOUT', ['408 Request Timeout', 'The request took too long to arrive.']],
]);
