import { setMaxListeners } from 'node:events';

/**
 * Runs a task under a signal that is aborted by `stop`, with its reason, or after `timeoutMs`, with a
 * `TimeoutError`. Once the task has ended, `stop` knows nothing of it any more: of each signal that
 * `AbortSignal.any` makes, one that lives as long as the process keeps a trace. And an
 * `AbortSignal.timeout` that nothing but such a signal knows of is garbage to Node 20:
 * collected before its time, it never ends anything.
 */
export async function withSignal<T>(
  { stop, timeoutMs }: { stop: AbortSignal | undefined; timeoutMs: number },
  task: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const either = new AbortController();
  const abort = () => either.abort(stop?.reason);
  const timer = setTimeout(() => {
    either.abort(new DOMException('It took too long', 'TimeoutError'));
  }, timeoutMs);
  if (stop) {
    // As many listen as there are tasks under way.
    setMaxListeners(0, stop);
    stop.addEventListener('abort', abort, { once: true });
  }
  if (stop?.aborted) abort();
  try {
    return await task(either.signal);
  } finally {
    clearTimeout(timer);
    stop?.removeEventListener('abort', abort);
  }
}
