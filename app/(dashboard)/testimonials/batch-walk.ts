import { codeOf } from '@/src/ui/calls/errors';
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

/** Ids, at most `batchSize` at a time; undefined at the end. After a failure it is asked again. */
export type NextBatch = () => Promise<string[] | undefined>;

type BatchWork = {
  next: NextBatch;
  /** Changes them, and answers how many there were. */
  apply: (ids: string[]) => Promise<number>;
  isStopped: () => boolean;
  onProgress: (progress: BatchProgress) => void;
  /** Until the service may be asked again, or it is stopped. */
  pause: () => Promise<void>;
};

/**
 * Changes batch after batch until there is none or it is stopped. One that fails is noted, and the
 * next is begun; what came too fast, a reading of ids as well, is tried again. What else that throws
 * ends it. `isWhole` says that every batch was tried.
 */
export async function runInBatches(work: BatchWork): Promise<BatchProgress & { isWhole: boolean }> {
  let isWhole = false;
  let progress: BatchProgress = { done: 0, failedIds: [], isWaiting: false };
  const note = (change: Partial<BatchProgress>) => {
    progress = { ...progress, ...change };
    work.onProgress(progress);
  };

  /** Undefined where it is stopped before there is an answer. */
  async function patiently<T>(ask: () => Promise<T>): Promise<{ answer: T } | undefined> {
    while (!work.isStopped()) {
      try {
        return { answer: await ask() };
      } catch (error) {
        if (codeOf(error) !== 'RATE_LIMIT_EXCEEDED') throw error;
        note({ isWaiting: true });
        await work.pause();
      }
    }
    return undefined;
  }

  async function change(ids: string[]): Promise<void> {
    try {
      const changed = await patiently(() => work.apply(ids));
      note({ done: progress.done + (changed?.answer ?? 0), isWaiting: false });
    } catch (error) {
      note({ failedIds: [...progress.failedIds, ...ids], error, isWaiting: false });
    }
  }

  try {
    for (;;) {
      const read = await patiently(work.next);
      if (!read) break;
      if (!read.answer) {
        isWhole = true;
        break;
      }
      await change(read.answer);
    }
  } catch (error) {
    note({ error });
  }
  if (progress.isWaiting) note({ isWaiting: false });
  return { ...progress, isWhole };
}

/** These ids in batches. */
export function inBatches(ids: string[]): NextBatch {
  let from = 0;
  return async () => {
    if (from >= ids.length) return undefined;
    from += batchSize;
    return ids.slice(from - batchSize, from);
  };
}
