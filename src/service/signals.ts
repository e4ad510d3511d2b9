import { log } from '../log';

/** How long requests under way may take to finish once the process is told to stop. */
export const stopTimeoutMs = 20_000;

/**
 * Runs `stop` once, at the first signal that asks for it or as what it returns is called, and ends
 * the process: with 0 where `stop` resolves to true in time, else with 1. What it rejects with is logged.
 */
export function onStopSignal(stop: () => Promise<boolean>): () => Promise<void> {
  let isStopping = false;
  const begin = async () => {
    if (isStopping) return;
    isStopping = true;
    setTimeout(() => process.exit(1), stopTimeoutMs).unref();
    const isInOrder = await stop().catch((error: unknown) => {
      log().error({ err: error }, 'not everything was stopped');
      return false;
    });
    process.exit(isInOrder ? 0 : 1);
  };
  process.on('SIGTERM', begin);
  process.on('SIGINT', begin);
  return begin;
}
