import { type Job, nothingStarted } from '../background/job';
import { createPlaces } from '../background/places';
import { log } from '../log';
import { queueUnnamed } from './stored-files';

const everyMs = 60 * 60 * 1000;
/** How long one round may take. What is left then waits for the next. */
const roundMs = 10_000;

/** Queues uploaded files that no row ever named, for removal: at the begin, and once an hour. */
export const unnamedFilesJob: Job = {
  name: 'unnamed files',
  begin({ now, deadlineAt = Number.POSITIVE_INFINITY, onDone }) {
    const places = createPlaces(1, onDone);
    let nextAt = Number.NEGATIVE_INFINITY;

    const round = async () => {
      const endAt = Math.min(Date.now() + roundMs, deadlineAt);
      try {
        while (Date.now() < endAt && (await queueUnnamed(now)).isFull);
      } catch (error) {
        log().error({ err: error }, 'uploaded files were not looked at');
      }
    };
    return {
      async start() {
        if (performance.now() < nextAt || places.free() === 0) return nothingStarted;
        nextAt = performance.now() + everyMs;
        places.take(round);
        return nothingStarted;
      },
      underWay: places.taken,
      nextDueInMs: async () => nextAt - performance.now(),
      // A round is short, and each of its statements stands for itself.
      abort: () => {},
      settled: places.settled,
    };
  },
};
