import { log } from '../log';
import { removeDueFiles } from './removals';

export type Remover = {
  /** Removes what is due; called while it does so, it looks once more afterwards. */
  look(): void;
  /** Resolves once no removal is under way. */
  settled(): Promise<void>;
};

/**
 * Removes queued files beside the deliveries, which never wait for it. `deadlineAt` is in
 * milliseconds of `Date.now()`; `now` stands for the time in what is stored.
 */
export function createRemover(options: { deadlineAt?: number; now?: Date }): Remover {
  let isWanted = false;
  let running: Promise<void> | undefined;

  const run = async () => {
    while (isWanted) {
      isWanted = false;
      await removeDueFiles(options);
    }
  };
  return {
    look() {
      isWanted = true;
      running ??= run()
        .catch((error: unknown) => log().error({ err: error }, 'uploaded files were not removed'))
        .finally(() => {
          running = undefined;
        });
    },
    settled: async () => running,
  };
}
