/** What must be sent while there still is a session. */
const tasks = new Set<() => Promise<unknown>>();

/** Has the task done before one signs out, until what is returned is called. */
export function beforeSignOut(task: () => Promise<unknown>): () => void {
  tasks.add(task);
  return () => void tasks.delete(task);
}

/** Never throws: each task says itself what went wrong. */
export async function finishBeforeSignOut(): Promise<void> {
  await Promise.allSettled([...tasks].map((task) => task()));
}
