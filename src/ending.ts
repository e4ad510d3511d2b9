/**
 * Runs a task, and `end` once it is over, whatever came of it. Where both fail, what the task failed with
 * is thrown: the other mostly follows from it, and would hide it.
 */
export async function endingWith<T>(end: () => unknown, task: () => Promise<T>): Promise<T> {
  let result: T;
  try {
    result = await task();
  } catch (error) {
    await Promise.resolve()
      .then(end)
      .catch(() => {});
    throw error;
  }
  await end();
  return result;
}
