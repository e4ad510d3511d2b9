import type { IncomingMessage } from 'node:http';
import { isTrustedProxy } from '../api/forwarded';

/** How what still comes of bodies is taken whose requests are answered. Times are in milliseconds. */
export type LeftoverLimits = {
  /** Of one body, so that its sender gets to read why; in bytes. */
  leftoverBytes: number;
  /** Until a body is there that is no upload, and as long again for its leftover. */
  bodyMs: number;
  /** Both of a proxy of ours: some look for an answer once all is sent, as Apache does. */
  proxyLeftoverBytes: number;
  proxyLeftoverMs: number;
  /** How often some is taken. */
  leftoverPaceMs: number;
  /** From how many connections each time, some 64 KiB of each; they take turns. */
  leftoversAtOnce: number;
  /** How many connections may have some left. */
  leftovers: number;
};

type Leftover = { request: IncomingMessage; startedAt: number; readBefore: number };

/**
 * What comes of a body after its answer is thrown away, and costs time all the same: it is as much as
 * a client may have sent before it looks, and not what somebody sends without end. It is taken a
 * little at a time, and no faster of many connections than of a few: whoever sends it has the answer,
 * and others have not. Of too many connections, the one is cut off that has had most time to read it.
 */
export function createLeftovers(limits: LeftoverLimits): {
  take(request: IncomingMessage): void;
  /** Gives proxies no more than others from now on: a stop would wait for them. */
  hurry(): void;
} {
  /** Whoever had a turn goes behind the others. */
  const leftovers = new Set<Leftover>();
  let isInHurry = false;
  let timer: NodeJS.Timeout | undefined;

  const isOverdue = ({ request: { socket }, startedAt, readBefore }: Leftover) => {
    const hasMore = !isInHurry && isTrustedProxy(socket.remoteAddress ?? '');
    const bytes = hasMore ? limits.proxyLeftoverBytes : limits.leftoverBytes;
    const ms = hasMore ? limits.proxyLeftoverMs : limits.bodyMs;
    return socket.bytesRead - readBefore > bytes || performance.now() - startedAt > ms;
  };

  const takeTurns = () => {
    for (const leftover of [...leftovers].slice(0, limits.leftoversAtOnce)) {
      leftovers.delete(leftover);
      const { request } = leftover;
      if (isOverdue(leftover)) request.socket.destroy();
      request.read();
      if (!request.complete && !request.socket.destroyed) leftovers.add(leftover);
    }
    if (leftovers.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };

  const cutOldest = () => {
    const [oldest] = [...leftovers].sort((one, other) => one.startedAt - other.startedAt);
    if (!oldest) return;
    leftovers.delete(oldest);
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
      leftovers.add({ request, startedAt: performance.now(), readBefore });
      if (leftovers.size > limits.leftovers) cutOldest();
      timer ??= setInterval(takeTurns, limits.leftoverPaceMs).unref();
    },
    hurry() {
      isInHurry = true;
    },
  };
}
