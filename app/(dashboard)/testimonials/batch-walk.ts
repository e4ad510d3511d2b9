import { codeOf } from '@/src/ui/errors';
import { batchSize } from './decisions';

export type BatchProgress = {
  /** Testimonials that were changed, and those of batches that failed. */
  done: number;
  failedIds: string[];
  /** Why the last that failed did. */
  error?: unknown;
  /** The service asked to wait. */
  isWaiting: boolean;
};

type BatchWork = {
  /** Ids, at most `batchSize` at a time. */
  batches: AsyncIterable<string[]>;
  /** Changes them, and answers how many there were. */
  apply: (ids: string[]) => Promise<number>;
  isStopped: () => boolean;
  onProgress: (progress: BatchProgress) => void;
  /** Until the service may be asked again. */
  pause: () => Promise<void>;
};

/**
 * Changes batch after batch until there is none or it is stopped. One that fails is noted, and the
 * next is begun; one that came too fast is tried again. What the reading of ids throws ends it.
 * `isWhole` says that every batch was tried.
 */
export async function runInBatches(work: BatchWork): Promise<BatchProgress & { isWhole: boolean }> {
  let isWhole = false;
  let progress: BatchProgress = { done: 0, failedIds: [], isWaiting: false };
  const note = (change: Partial<BatchProgress>) => {
    progress = { ...progress, ...change };
    work.onProgress(progress);
  };
  try {
    for await (const ids of work.batches) {
      await changeBatch(work, ids, {
        changed: (count) => note({ done: progress.done + count, isWaiting: false }),
        waiting: () => note({ isWaiting: true }),
        failed: (error) =>
          note({ failedIds: [...progress.failedIds, ...ids], error, isWaiting: false }),
      });
      if (work.isStopped()) break;
    }
    isWhole = !work.isStopped();
  } catch (error) {
    note({ error, isWaiting: false });
  }
  return { ...progress, isWhole };
}

async function changeBatch(
  work: BatchWork,
  ids: string[],
  outcome: {
    changed: (count: number) => void;
    waiting: () => void;
    failed: (error: unknown) => void;
  },
): Promise<void> {
  while (!work.isStopped()) {
    try {
      return outcome.changed(await work.apply(ids));
    } catch (error) {
      if (codeOf(error) !== 'RATE_LIMIT_EXCEEDED') return outcome.failed(error);
      outcome.waiting();
      await work.pause();
    }
  }
}

/** These ids in batches. */
export async function* inBatches(ids: string[]): AsyncIterable<string[]> {
  for (let from = 0; from < ids.length; from += batchSize) yield ids.slice(from, from + batchSize);
}
