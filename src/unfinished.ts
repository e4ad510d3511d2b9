import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { rename } from 'node:fs/promises';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs a task of a command that makes a file or folder at `path`, which is gone afterwards: also where
 * the task fails, and where a signal ends the process, which would else run nothing of a `finally`. What
 * is to stay is renamed before. For processes that do nothing else at a signal.
 */
export async function withUnfinished<T>(path: string, task: () => Promise<T>): Promise<T> {
  // What is being written meanwhile may come in between: a few tries.
  const remove = () => rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  const end = (signal: NodeJS.Signals) => {
    forget();
    try {
      remove();
    } finally {
      process.kill(process.pid, signal);
    }
  };
  const forget = () => {
    for (const signal of signals) process.removeListener(signal, end);
  };
  for (const signal of signals) process.once(signal, end);
  try {
    return await task();
  } finally {
    forget();
    remove();
  }
}

/**
 * Has a file written beside its place, under a name that nothing else has, and puts it there once it is
 * whole.
 */
export async function withWholeFile(
  path: string,
  write: (unfinished: string) => Promise<void>,
): Promise<void> {
  const unfinished = `${path}.${randomUUID().slice(0, 8)}.part`;
  await withUnfinished(unfinished, async () => {
    await write(unfinished);
    await rename(unfinished, path);
  });
}
