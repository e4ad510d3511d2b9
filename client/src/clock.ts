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
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', stop);
        resolve();
      },
      Math.min(ms, longestTimerMs),
    );
    signal?.addEventListener('abort', stop, { once: true });
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
  let stop = () => {};
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
    stop = () => end(signal?.reason);
    signal?.addEventListener('abort', stop, { once: true });
    run(running.signal).then(resolve, reject);
  }).finally(() => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  });
}
