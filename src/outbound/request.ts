import http, { type ClientRequest } from 'node:http';
import https from 'node:https';
import { lookupBy, type Resolve, resolveByDns, resolveBySystem } from './address';
import { agentFor } from './agents';
import { kindOf, OutboundError } from './errors';
import { RefusedUrlError, readUrl } from './url';

/** A connection that was kept turned out to be closed, before any answer. */
export class StaleConnectionError extends OutboundError {
  override name = 'StaleConnectionError';
}

/** @throws OutboundError of kind `url_refused` */
export function readOutboundUrl(
  text: string,
  options: { allowPrivate: boolean; allowHttp?: boolean },
): URL {
  try {
    return readUrl(text, options);
  } catch (error) {
    if (error instanceof RefusedUrlError) throw new OutboundError('url_refused', { cause: error });
    throw error;
  }
}

/**
 * Provisional answers (1xx) that may come before the one that counts: there are a few kinds, and each
 * comes once. RFC 9110, 15.2.
 */
const maxProvisional = 16;

/**
 * A request whose connection is guarded, still to be sent. Where provisional answers do not end, no more
 * are read, so that it waits until its caller gives it up: each costs as much as an answer, and while
 * they are read everybody else waits. Cut off at once, the next attempt would bring as many.
 */
export function guardedRequest(
  url: URL,
  options: {
    method: 'GET' | 'POST';
    headers: Record<string, string | number>;
    allowPrivate: boolean;
    resolve?: Resolve;
    signal?: AbortSignal;
    /** Over no connection that was kept. */
    isAnew?: boolean;
  },
): ClientRequest {
  const { method, headers, allowPrivate, resolve, signal, isAnew } = options;
  const outgoing = (url.protocol === 'https:' ? https : http).request(url, {
    method,
    headers: { ...headers, 'accept-encoding': 'identity' },
    agent: agentFor(url, { allowPrivate, isAnew }),
    lookup: lookupBy(resolve ?? (allowPrivate ? resolveBySystem : resolveByDns), { allowPrivate }),
    signal,
  });
  let provisional = 0;
  outgoing.on('information', () => {
    provisional += 1;
    if (provisional !== maxProvisional + 1) return;
    // Node resumes the socket with each of those that came with it.
    process.nextTick(() => outgoing.socket?.pause());
  });
  return outgoing;
}

/** Why a request failed that got no answer. */
export function toOutboundError(
  outgoing: ClientRequest,
  cause: NodeJS.ErrnoException,
): OutboundError {
  const isStale = outgoing.reusedSocket && (cause.code === 'ECONNRESET' || cause.code === 'EPIPE');
  return isStale
    ? new StaleConnectionError('connection', { cause })
    : new OutboundError(kindOf(cause), { cause });
}
