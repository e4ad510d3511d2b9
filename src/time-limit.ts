/** A timer that is set for longer fires at once. */
export const longestTimerMs = 2 ** 31 - 1;

/**
 * The end of a task, or, once `ms` are over, what `late` returns or throws. The task goes on then, and
 * what becomes of it nobody hears.
 */
export async function within<T>(ms: number, task: Promise<T>, late: () => T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const lateness = new Promise<void>((over) => {
    timer = setTimeout(over, ms);
  });
  try {
    return await Promise.race([task, lateness.then(late)]);
  } finally {
    clearTimeout(timer);
  }
}
