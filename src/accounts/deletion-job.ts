import { type Job, nothingStarted } from '../background/job';
import { createPlaces } from '../background/places';
import { tellOnceAMinute } from '../logging/lasting-failure';
import { log } from '../logging/log';
import { accountsToDelete, deleteClosedAccount } from './deletion';

/** Time to end the step that is under way. */
const stepMs = 5000;

/** How often to look for closed accounts while there are none. */
const lookEveryMs = 5000;

/** How long to rest once all were tried and some have failed: the next try may well fail again. */
const afterFailureMs = 10_000;

/** Removes what closed accounts have, one account after the other. */
export const accountDeletionJob: Job = {
  name: 'account deletion',
  begin({ now, deadlineAt = Number.POSITIVE_INFINITY, onDone, onFailed }) {
    const places = createPlaces(1, onDone);
    const stop = new AbortController();
    let restsUntil = Number.NEGATIVE_INFINITY;
    // Tried again after all others, which would else never come to their turn behind enough of them.
    let failed: string[] = [];
    const mayGoOn = () => !stop.signal.aborted && Date.now() + stepMs < deadlineAt;

    const deleteAll = async (ids: string[]) => {
      for (const id of ids) {
        try {
          if (!(await deleteClosedAccount(id, mayGoOn))) return;
          log().info({ accountId: id }, 'account deleted');
        } catch (error) {
          // Each step stands for itself: the next try goes on from here.
          failed.push(id);
          // A database that takes no writes fails all of them, and again in ten seconds.
          tellOnceAMinute('accounts not deleted', (times) =>
            log().error({ err: error, accountId: id, times }, 'account not deleted yet'),
          );
          onFailed?.();
        }
      }
    };

    return {
      async start() {
        const isResting = performance.now() < restsUntil;
        if (places.free() === 0 || isResting || !mayGoOn()) return nothingStarted;
        const ids = await accountsToDelete(now, { except: failed });
        if (ids.length > 0) places.take(() => deleteAll(ids));
        else {
          restsUntil = performance.now() + (failed.length > 0 ? afterFailureMs : lookEveryMs);
          failed = [];
        }
        return { started: ids.length, isFull: false };
      },
      underWay: places.taken,
      // Looked for with turns of other work.
      nextDueInMs: async () => undefined,
      abort: () => stop.abort(),
      settled: places.settled,
    };
  },
};
