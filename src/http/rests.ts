import type { IncomingMessage } from 'node:http';
import { isTrustedProxy } from '../api/forwarded';

/** How what still comes of bodies is taken that are answered already. Times are in milliseconds. */
export type RestLimits = {
  /** Of one body, so that its sender gets to read why; in bytes. */
  restBytes: number;
  /** Until a body is there that is no upload, and as long again for its rest. */
  bodyMs: number;
  /** Both of a proxy of ours: some look for an answer once all is sent, as Apache does. */
  proxyRestBytes: number;
  proxyRestMs: number;
  /** How often some is taken. */
  restPaceMs: number;
  /** Of how many connections each time, some 64 KiB of each; they take turns. */
  restsAtOnce: number;
  /** How many connections may have some left. */
  rests: number;
};

type Rest = { request: IncomingMessage; startedAt: number; readBefore: number };

/**
 * What comes of a body after its answer is thrown away, and costs time all the same: it is as much as
 * a client may have sent before it looks, and not what somebody sends without end. It is taken a
 * little at a time, and no faster of many connections than of a few: whoever sends it has the answer,
 * and others have not. Of too many connections, the one is cut off that has had most time to read it.
 */
export function createRests(limits: RestLimits): {
  take(request: IncomingMessage): void;
  /** Gives proxies no more than others from now on: a stop would wait for them. */
  hurry(): void;
} {
  /** Whoever had a turn goes behind the others. */
  const rests = new Set<Rest>();
  let isInHurry = false;
  let timer: NodeJS.Timeout | undefined;

  const isOverdue = ({ request: { socket }, startedAt, readBefore }: Rest) => {
    const hasMore = !isInHurry && isTrustedProxy(socket.remoteAddress ?? '');
    const bytes = hasMore ? limits.proxyRestBytes : limits.restBytes;
    const ms = hasMore ? limits.proxyRestMs : limits.bodyMs;
    return socket.bytesRead - readBefore > bytes || performance.now() - startedAt > ms;
  };

  const takeTurns = () => {
    for (const rest of [...rests].slice(0, limits.restsAtOnce)) {
      rests.delete(rest);
      const { request } = rest;
      if (isOverdue(rest)) request.socket.destroy();
      request.read();
      if (!request.complete && !request.socket.destroyed) rests.add(rest);
    }
    if (rests.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };

  const cutOldest = () => {
    const [oldest] = [...rests].sort((one, other) => one.startedAt - other.startedAt);
    if (!oldest) return;
    rests.delete(oldest);
    oldest.request.socket.destroy();
  };

  return {
    take(request) {
      const { bytesRead: readBefore } = request.socket;
      request.pause();
      // Of a request of which nobody has asked anything, Node throws the rest away as it comes.
      request.read();
      // Handlers have it thrown away too.
      request.on('resume', () => request.pause());
      rests.add({ request, startedAt: performance.now(), readBefore });
      if (rests.size > limits.rests) cutOldest();
      timer ??= setInterval(takeTurns, limits.restPaceMs).unref();
    },
    hurry() {
      isInHurry = true;
    },
  };
}
