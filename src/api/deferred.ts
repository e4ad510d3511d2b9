import { log } from '../logging/log';

/** Runs a task that nobody waits for: a failure is logged and goes no further. */
export async function runDeferred(task: () => Promise<void>): Promise<void> {
  try {
    await task();
  } catch (error) {
    log().error({ err: error }, 'deferred task failed');
  }
}
