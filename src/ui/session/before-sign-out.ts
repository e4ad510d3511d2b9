import { SpokenError } from '../calls/errors';

/** Sends what must be sent while there still is a session, and answers whether all of it was saved. */
type Task = () => Promise<boolean>;

const tasks = new Set<Task>();

/** Has the task done before one signs out, until what is returned is called. */
export function beforeSignOut(task: Task): () => void {
  tasks.add(task);
  return () => void tasks.delete(task);
}

/** @throws SpokenError where something was not saved, which would be lost with the session */
export async function finishBeforeSignOut(): Promise<void> {
  const saved = await Promise.all([...tasks].map((task) => task()));
  if (saved.includes(false)) {
    throw new SpokenError(
      'A decision in the inbox is not saved. Try it again there, or dismiss it.',
    );
  }
}
