import { setImmediate as turnOfEventLoop } from 'node:timers/promises';

/** Resolves once it is so; the time that a test has is the only bound. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await turnOfEventLoop();
}
