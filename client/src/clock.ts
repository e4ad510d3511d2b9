/** Of anything longer timers end at once. */
const longestTimerMs = 2 ** 31 - 1;

/** By what the client waits between attempts; tests give their own. */
export type Clock = {
  /** Unix time in milliseconds. */
  now(): number;
  /** Resolves after that time, or rejects with the signal's reason once it is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** At least 0, less than 1. */
  random(): number;
};

export const systemClock: Clock = { now: Date.now, sleep, random: Math.random };

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let forget = () => {};
  return new Promise<void>((resolve, reject) => {
    signal?.throwIfAborted();
    timer = setTimeout(resolve, Math.min(ms, longestTimerMs));
    if (signal) forget = whenAborted(signal, () => reject(signal.reason));
  }).finally(() => {
    clearTimeout(timer);
    forget();
  });
}

/** What was asked for did not come in time. */
export class Timeout extends Error {
  override name = 'Timeout';
}

/**
 * Runs something with a signal that is aborted after `timeoutMs`, with a `Timeout`, or with the
 * given signal, and waits no longer. Leaves nothing on that signal, which may live for years.
 */
export function withTimeout<T>(
  run: (signal: AbortSignal) => Promise<T>,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<T> {
  const running = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let forget = () => {};
  return new Promise<T>((resolve, reject) => {
    signal?.throwIfAborted();
    // First ours: runtimes have errors of their own for what was aborted.
    const end = (reason: unknown) => {
      reject(reason);
      running.abort(reason);
    };
    timer = setTimeout(
      () => end(new Timeout(`Nothing came within ${timeoutMs} ms.`)),
      Math.min(timeoutMs, longestTimerMs),
    );
    if (signal) forget = whenAborted(signal, () => end(signal.reason));
    run(running.signal).then(resolve, reject);
  }).finally(() => {
    clearTimeout(timer);
    forget();
  });
}

/** What is to be done once a signal is aborted, by all who wait. */
type Stops = { each: Set<() => void>; all: () => void };

const stopsOf = new WeakMap<AbortSignal, Stops>();

/**
 * Calls `stop` once the signal is aborted, until what it returns is called. All who wait share one
 * listener: of more than ten on one signal, Node warns as of a leak.
 */
function whenAborted(signal: AbortSignal, stop: () => void): () => void {
  const { each, all } = stopsOf.get(signal) ?? newStops();
  stopsOf.set(signal, { each, all });
  each.add(stop);
  // Again, it changes nothing.
  signal.addEventListener('abort', all, { once: true });
  return () => {
    each.delete(stop);
    if (each.size === 0) signal.removeEventListener('abort', all);
  };
}

function newStops(): Stops {
  const each = new Set<() => void>();
  return {
    each,
    all: () => {
      for (const stop of each) stop();
    },
  };
}
