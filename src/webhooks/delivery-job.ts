import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { type Job, type JobContext, nothingStarted, type RunningJob } from '../background/job';
import { createPlaces } from '../background/places';
import { log } from '../log';
import { attempt } from './attempt';
import { type Claimed, claimDue, nextDueInMs } from './claim';
import { webhookLimits } from './limits';
import { createOutcomeBatches } from './outcome-batches';
import { returnExpiredLeases } from './outcomes';

/** Time to write the last outcomes down. */
const recordingMs = 2000;
const returnLeasesEveryMs = 15_000;

/** Sends the deliveries that are due. */
export const deliveryJob: Job = { name: 'webhook deliveries', begin: beginDeliveries };

function beginDeliveries(context: JobContext): RunningJob {
  const { now, random, deadlineAt = Number.POSITIVE_INFINITY, onDone } = context;
  const lastStartAt = deadlineAt - webhookLimits.attemptTimeoutMs - recordingMs;
  const places = createPlaces(webhookLimits.inFlightPerProcess, onDone);
  const stop = new AbortController();
  // Every attempt listens.
  setMaxListeners(0, stop.signal);
  const batches = createOutcomeBatches({ now, random });
  let returnLeasesAt = Number.NEGATIVE_INFINITY;

  const returnLeases = async () => {
    if (performance.now() < returnLeasesAt) return;
    returnLeasesAt = performance.now() + returnLeasesEveryMs;
    await returnExpiredLeases(now);
  };

  const deliver = async (claimed: Claimed) => {
    try {
      const result = await attempt(claimed, now ?? new Date(), stop.signal);
      await batches.add({ claimed, result });
    } catch (error) {
      // Only a defect gets here; the lease runs out, and the delivery is tried again.
      log().error({ err: error, deliveryId: claimed.id }, 'delivery');
    }
  };

  return {
    async start() {
      const room = places.free();
      if (room === 0 || stop.signal.aborted || Date.now() >= lastStartAt) return nothingStarted;
      await returnLeases();
      const ids = { token: randomUUID(), start: randomUUID() };
      const claimed = await claimDue({ limit: room, now, ...ids });
      for (const one of claimed) places.take(() => deliver(one));
      return { started: claimed.length, isFull: claimed.length === room };
    },
    underWay: places.taken,
    nextDueInMs: () => nextDueInMs(now),
    abort: () => stop.abort(),
    settled: places.settled,
  };
}
