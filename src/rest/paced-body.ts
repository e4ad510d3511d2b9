import { longestTimerMs } from '../time-limit';
import { smallAnswerBytes, unsent } from './unsent';
import type { Bytes } from './utf8';

/** How slowly an answer may be taken: on average, once `idleMs` have passed in which nothing need be. */
type PaceLimits = { idleMs: number; bytesPerSecond: number };

/** As of the connections of the socket server. */
const defaultLimits: PaceLimits = { idleMs: 30_000, bytesPerSecond: 4096 };

const pieceBytes = 64 * 1024;

/** What is there already, or is made as it is taken. */
type Source = Bytes | Bytes[] | AsyncIterable<Uint8Array>;

/**
 * The body of a Response for the client (an account), given piece by piece as fast as it is taken. It is
 * cut where it is taken too slowly; and one that is in memory already, which counts among the unsent
 * answers until it is taken, where there is too much of these. Cut, the rest is let go of and the stream
 * fails, so that nobody takes a part for the whole.
 */
export function pacedBody(
  client: string,
  source: Source,
  limits = defaultLimits,
): Bytes | ReadableStream<Uint8Array> | null {
  if (source instanceof Uint8Array) {
    if (source.byteLength === 0) return null;
    return source.byteLength <= smallAnswerBytes ? source : heldStream(client, [source], limits);
  }
  return Array.isArray(source) ? heldStream(client, source, limits) : stream(source, limits).body;
}

function heldStream(client: string, slices: Bytes[], limits: PaceLimits) {
  const bytes = slices.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const { body, cut, ended } = stream(piecesOf(slices), limits);
  if (bytes > smallAnswerBytes) void ended.then(unsent().hold(client, bytes, cut));
  return body;
}

async function* piecesOf(slices: Bytes[]): AsyncGenerator<Uint8Array> {
  for (const slice of slices) {
    for (let at = 0; at < slice.byteLength; at += pieceBytes) {
      yield slice.subarray(at, at + pieceBytes);
    }
  }
}

function stream(source: AsyncIterable<Uint8Array>, { idleMs, bytesPerSecond }: PaceLimits) {
  let pieces: AsyncIterator<Uint8Array> | undefined = source[Symbol.asyncIterator]();
  let givenBytes = 0;
  let waitedMs = 0;
  let waitsSince = 0;
  let timer: NodeJS.Timeout | undefined;
  let endOfTurn: NodeJS.Immediate | undefined;
  let resolveEnded = () => {};
  const ended = new Promise<void>((resolve) => {
    resolveEnded = resolve;
  });
  let fail: (error: Error) => void = () => {};

  const stopWaiting = () => {
    clearTimeout(timer);
    clearImmediate(endOfTurn);
  };
  const end = async () => {
    const ending = pieces;
    // What it would still give is no longer kept.
    pieces = undefined;
    stopWaiting();
    resolveEnded();
    await ending?.return?.();
  };
  const cut = () => {
    fail(new Error('The client takes its answer too slowly.'));
    void end().catch(() => {});
  };
  const waitForClient = () => {
    waitsSince = performance.now();
    const allowedMs = idleMs + (givenBytes / bytesPerSecond) * 1000;
    const leftMs = Math.min(Math.max(0, allowedMs - waitedMs), longestTimerMs);
    // What was taken while this process was busy is seen by the end of the turn.
    const cutAtItsEnd = () => {
      endOfTurn = setImmediate(cut);
    };
    timer = setTimeout(cutAtItsEnd, leftMs).unref();
  };

  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      fail = (error) => controller.error(error);
    },
    async pull(controller) {
      stopWaiting();
      if (givenBytes > 0) waitedMs += performance.now() - waitsSince;
      const { done, value } = (await pieces?.next()) ?? { done: true };
      if (done || value === undefined) {
        await end();
        controller.close();
        return;
      }
      givenBytes += value.byteLength;
      controller.enqueue(value);
      waitForClient();
    },
    cancel: end,
  });
  return { body, cut, ended };
}
