import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Has an answer that goes out before all of its request is here say that the connection ends, where the
 * request offers to change the protocol, as Java's HttpClient does with each. Node throws away what
 * comes in one piece with the end of such a request: a request that its sender, who has the answer,
 * sends behind the rest of the body would never be answered. RFC 9112, sections 9.3 and 9.6.
 */
export function endIfAnsweredEarly(request: IncomingMessage, response: ServerResponse): void {
  if (request.headers.upgrade === undefined || !hasBody(request)) return;
  response.writeHead = new Proxy(response.writeHead, {
    apply(writeHead, self, given) {
      if (!request.complete) response.setHeader('Connection', 'close');
      return Reflect.apply(writeHead, self, given);
    },
  });
}

/** A request without one is complete only once Node has gone on reading. */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
