import { constants } from 'node:os';
import { log } from '../logging/log';

/** How long requests under way may take to finish once the process is told to stop. */
export const stopTimeoutMs = 20_000;

const stopSignals = ['SIGTERM', 'SIGINT'] as const;

const endNow = (signal: NodeJS.Signals): void => process.exit(128 + constants.signals[signal]);

/**
 * Until `onStopSignal`, signals to stop end the process at once. They do so by themselves, but for the
 * first process of a container: what nobody there listens for is ignored.
 */
export function endAtStopSignal(pid = process.pid): void {
  if (pid !== 1) return;
  for (const signal of stopSignals) process.on(signal, endNow);
}

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
  for (const signal of stopSignals) process.off(signal, endNow).on(signal, begin);
  return begin;
}
