import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Resolve } from './address';
import { OutboundError } from './errors';
import { guardedRequest, readOutboundUrl, StaleConnectionError, toOutboundError } from './request';

type OutboundRequest = {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** From now to the end of the answer; neither silence nor a drip gets past it. */
  timeoutMs: number;
  /** How much of the answer's body is wanted; the connection is cut there. */
  keepBytes: number;
  /** Lets plain http and private addresses pass: for development and tests. */
  allowPrivate: boolean;
  /** Ends the request early, with the kind `aborted`. */
  signal?: AbortSignal;
  /** Instead of DNS. */
  resolve?: Resolve;
};

export type OutboundAnswer = {
  status: number;
  headers: IncomingHttpHeaders;
  /** The first `keepBytes` as they came, not decompressed; fewer where the answer broke off. */
  body: Buffer;
};

/**
 * Sends one POST to an address that somebody else chose. Redirects are answers like any other.
 * An answer counts from its status line on: what becomes of its body does not change that.
 * @throws OutboundError where no answer came
 */
export async function sendOutbound(request: OutboundRequest): Promise<OutboundAnswer> {
  const url = readOutboundUrl(request.url, request);
  const deadlineAt = performance.now() + request.timeoutMs;
  try {
    return await exchange(url, request, { timeoutMs: request.timeoutMs });
  } catch (error) {
    // The other side may close an idle connection in the moment in which we use it again; and others
    // with it, as where it is started anew.
    if (!(error instanceof StaleConnectionError)) throw error;
    const timeoutMs = Math.max(deadlineAt - performance.now(), 0);
    return exchange(url, request, { timeoutMs, isAnew: true });
  }
}

function exchange(
  url: URL,
  request: OutboundRequest,
  { timeoutMs, isAnew = false }: { timeoutMs: number; isAnew?: boolean },
): Promise<OutboundAnswer> {
  const { headers, body, allowPrivate, signal } = request;
  return new Promise((resolve, reject) => {
    const outgoing = guardedRequest(url, {
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      allowPrivate,
      resolve: request.resolve,
      isAnew,
    });
    let answer: OutboundAnswer | undefined;

    const settle = (error: OutboundError) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      if (answer) resolve(answer);
      else reject(error);
    };
    const cut = (error: OutboundError) => {
      settle(error);
      outgoing.destroy();
    };
    const abort = () => cut(new OutboundError('aborted'));
    const timer = setTimeout(() => cut(new OutboundError('timeout')), timeoutMs);

    outgoing.on('response', (incoming) => {
      answer = {
        status: incoming.statusCode ?? 0,
        headers: incoming.headers,
        body: Buffer.alloc(0),
      };
      keepStart(incoming, request.keepBytes, answer, () => cut(new OutboundError('aborted')));
    });
    outgoing.on('error', (cause) => settle(toOutboundError(outgoing, cause)));
    // Also where the answer is a change of protocol, which nobody asked for.
    outgoing.on('close', () => settle(new OutboundError('invalid_answer')));
    if (signal?.aborted) return abort();
    signal?.addEventListener('abort', abort);
    outgoing.end(body);
  });
}

/** Collects the body's first bytes in the answer; `isEnough` is called where more would follow. */
function keepStart(
  incoming: IncomingMessage,
  keepBytes: number,
  answer: OutboundAnswer,
  isEnough: () => void,
): void {
  // Made once: an answer may come byte by byte.
  const kept = Buffer.allocUnsafe(keepBytes);
  incoming.on('data', (chunk: Buffer) => {
    const { length } = answer.body;
    answer.body = kept.subarray(0, length + chunk.copy(kept, length));
    if (answer.body.length === keepBytes) isEnough();
  });
  // A body that breaks off: the request's close follows.
  incoming.on('error', () => {});
}
