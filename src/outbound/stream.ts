import type { IncomingMessage } from 'node:http';
import type { Resolve } from './address';
import { OutboundError } from './errors';
import { guardedRequest, readOutboundUrl, StaleConnectionError, toOutboundError } from './request';

type OutboundDownload = {
  url: string;
  headers: Record<string, string>;
  /** Lets private addresses pass: for development and tests. */
  allowPrivate: boolean;
  /** Ends the request, and the body while it is read. */
  signal: AbortSignal;
  /** Instead of DNS. */
  resolve?: Resolve;
};

/**
 * Sends one GET to an address that somebody else chose, over https or plain http, and resolves to
 * the answer when its head is there. The body, not decompressed, is the caller's to read or to
 * destroy. Redirects are answers like any other.
 * @throws OutboundError where no answer came
 */
export async function openOutbound(request: OutboundDownload): Promise<IncomingMessage> {
  const url = readOutboundUrl(request.url, { ...request, allowHttp: true });
  try {
    return await exchange(url, request);
  } catch (error) {
    // As for any request on a connection that was kept.
    if (!(error instanceof StaleConnectionError)) throw error;
    return exchange(url, request, { isAnew: true });
  }
}

function exchange(
  url: URL,
  request: OutboundDownload,
  { isAnew = false } = {},
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const outgoing = guardedRequest(url, { ...request, method: 'GET', isAnew });
    outgoing.on('response', (incoming) => {
      // Whoever reads it hears of this; where nobody does any more, it must not end the process.
      incoming.on('error', () => {});
      resolve(incoming);
    });
    outgoing.on('error', (cause) => reject(toOutboundError(outgoing, cause)));
    // Also where the answer is a change of protocol, which nobody asked for.
    outgoing.on('close', () => reject(new OutboundError('invalid_answer')));
    outgoing.end();
  });
}
