import { randomUUID } from 'node:crypto';
import { type Job, nothingStarted } from '../background/job';
import { createPlaces } from '../background/places';
import { claimRemovals, putOffElsewhere, removalLimits, removeFile } from './removal-queue';

/** Removes the uploaded files that nothing refers to any more. */
export const removalJob: Job = {
  name: 'file removals',
  begin({ now, deadlineAt = Number.POSITIVE_INFINITY, onDone }) {
    const places = createPlaces(removalLimits.atOnce, onDone);
    const stop = new AbortController();
    return {
      async start() {
        const room = places.free();
        const isLate = Date.now() + removalLimits.timeoutMs >= deadlineAt;
        if (room === 0 || isLate || stop.signal.aborted) return nothingStarted;
        const elsewhereOf = new Set<string>();
        const claimed = await claimRemovals({ limit: room, now, start: randomUUID() });
        for (const one of claimed) {
          if (one.is_here) places.take(() => removeFile(one, stop.signal));
          else elsewhereOf.add(one.user_id);
        }
        if (elsewhereOf.size > 0) {
          await putOffElsewhere([...elsewhereOf], now);
          // There may be more of them, and others behind.
          onDone();
        }
        const started = claimed.filter(({ is_here }) => is_here).length;
        return { started, isFull: started === room };
      },
      underWay: places.taken,
      // Each is looked for with every turn of other work; a try again may be late.
      nextDueInMs: async () => undefined,
      abort: () => stop.abort(),
      settled: places.settled,
    };
  },
};
