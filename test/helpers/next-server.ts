/** Stands in for `next/server`, whose `after` works only inside a running Next. */

const running = new Set<Promise<void>>();

export function after(task: () => Promise<void>): void {
  const promise: Promise<void> = Promise.resolve()
    .then(task)
    .finally(() => running.delete(promise));
  running.add(promise);
}

/** Resolves once every deferred task, and those that they deferred, is done. */
export async function settled(): Promise<void> {
  while (running.size > 0) await Promise.all(running);
}
