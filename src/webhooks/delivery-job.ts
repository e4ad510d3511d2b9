import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { type Job, type JobContext, nothingStarted, type RunningJob } from '../background/job';
import { createPlaces } from '../background/places';
import { log } from '../log';
import { attempt } from './attempt';
import { type Claimed, claimDue, nextDueInMs } from './claim';
import { renewLeases, returnLeases } from './leases';
import { webhookLimits } from './limits';
import { createOutcomeBatches } from './outcome-batches';

/** Time to write the last outcomes down. */
const recordingMs = 2000;

/** Sends the deliveries that are due. */
export const deliveryJob: Job = { name: 'webhook deliveries', begin: beginDeliveries };

function beginDeliveries(context: JobContext): RunningJob {
  const { now, random, deadlineAt = Number.POSITIVE_INFINITY, isAlone, onDone } = context;
  const lastStartAt = deadlineAt - webhookLimits.attemptTimeoutMs - recordingMs;
  const places = createPlaces(webhookLimits.inFlightPerProcess, onDone);
  const stop = new AbortController();
  // Every attempt listens.
  setMaxListeners(0, stop.signal);
  const batches = createOutcomeBatches({ now, random });
  const held = new Set<Claimed>();
  let renewal: NodeJS.Timeout | undefined;
  let isRenewing = false;
  let returnLeasesAt = Number.NEGATIVE_INFINITY;
  let isFirstLook = true;

  /** Other processes may have been as far from the database as this one: they get time to renew. */
  const noteOutage = () => {
    returnLeasesAt = performance.now() + webhookLimits.leaseMs;
  };
  const renew = async () => {
    // A database that does not answer would collect them.
    if (isRenewing) return;
    isRenewing = true;
    try {
      await renewLeases(held, now);
    } catch (error) {
      noteOutage();
      log().warn({ err: error }, 'webhook leases not renewed');
    }
    isRenewing = false;
  };
  const hold = (claimed: Claimed) => {
    held.add(claimed);
    renewal ??= setInterval(renew, webhookLimits.renewLeasesEveryMs);
  };
  const release = (claimed: Claimed) => {
    held.delete(claimed);
    if (held.size > 0) return;
    clearInterval(renewal);
    renewal = undefined;
  };

  const returnLostLeases = async () => {
    if (performance.now() < returnLeasesAt) return;
    returnLeasesAt = performance.now() + webhookLimits.returnLeasesEveryMs;
    await returnLeases({ all: isAlone && isFirstLook, now });
    isFirstLook = false;
  };

  const deliver = async (claimed: Claimed) => {
    try {
      const result = await attempt(claimed, stop.signal);
      await batches.add({ claimed, result });
    } catch (error) {
      // Only a defect gets here; the lease runs out, and the delivery is tried again.
      log().error({ err: error, deliveryId: claimed.id }, 'delivery');
    } finally {
      release(claimed);
    }
  };

  const claim = async () => {
    const free = places.free();
    const ids = { token: randomUUID(), start: randomUUID() };
    const { claimed, mayHaveMore } = await claimDue({
      free,
      underWay: byAccount(held),
      now,
      ...ids,
    });
    for (const one of claimed) {
      hold(one);
      places.take(() => deliver(one));
    }
    return { started: claimed.length, isFull: claimed.length === free || mayHaveMore };
  };

  return {
    async start() {
      if (places.free() === 0 || stop.signal.aborted || Date.now() >= lastStartAt) {
        return nothingStarted;
      }
      try {
        await returnLostLeases();
        return await claim();
      } catch (error) {
        noteOutage();
        throw error;
      }
    },
    underWay: places.taken,
    nextDueInMs: () => nextDueInMs(now),
    abort: () => stop.abort(),
    settled: places.settled,
  };
}

function byAccount(held: Iterable<Claimed>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { accountId } of held) counts.set(accountId, (counts.get(accountId) ?? 0) + 1);
  return counts;
}
