import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { createHeldLeases } from '../../background/held-leases';
import { type Job, type JobContext, nothingStarted, type RunningJob } from '../../background/job';
import { createPlaces } from '../../background/places';
import { log } from '../../logging/log';
import { webhookLimits } from '../limits';
import { attempt } from './attempt';
import { type Claimed, claimDue, nextDueInMs } from './claim';
import { keptAnswers } from './kept-answers';
import { renewLeases, returnLeases } from './leases';
import { createOutcomeBatches } from './outcome-batches';
import { createSlowAccounts } from './slow-accounts';

/** One that this process sends now, and since when, by `performance.now()`. */
type UnderWay = Claimed & { claimedAtMs: number };

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
  const batches = createOutcomeBatches({ now, random, deadlineAt });
  const slow = createSlowAccounts();
  let returnLeasesAt = Number.NEGATIVE_INFINITY;
  let isFirstLook = true;

  /** Other processes may have been as far from the database as this one: they get time to renew. */
  const noteOutage = () => {
    returnLeasesAt = performance.now() + webhookLimits.leaseMs;
  };
  const leases = createHeldLeases<UnderWay>({
    everyMs: webhookLimits.renewLeasesEveryMs,
    async renew(held) {
      try {
        await renewLeases(held, now);
      } catch (error) {
        noteOutage();
        log().warn({ err: error }, 'webhook leases not renewed');
      }
    },
  });

  const returnLostLeases = async () => {
    const all = isAlone && isFirstLook;
    // Not later, where that has failed: what is claimed meanwhile would be among them.
    if (!all && performance.now() < returnLeasesAt) return;
    returnLeasesAt = performance.now() + webhookLimits.returnLeasesEveryMs;
    await returnLeases({ all, held: leases.held, now });
    isFirstLook = false;
  };

  const deliver = async (claimed: UnderWay) => {
    try {
      const result = await attempt(claimed, stop.signal);
      slow.note(claimed.accountId, result?.durationMs ?? 0);
      const kept = result && keptAnswers().keep(claimed.accountId, result);
      await batches.add({ claimed, result: kept });
    } catch (error) {
      // Only a defect gets here; the lease runs out, and the delivery is tried again.
      log().error({ err: error, deliveryId: claimed.id }, 'delivery');
    } finally {
      leases.release(claimed);
    }
  };

  const claim = async () => {
    const free = places.free();
    const { claimed, mayHaveMore } = await claimDue({
      free,
      underWay: slow.shares(sinceClaimed(leases.held)),
      token: randomUUID(),
      start: randomUUID(),
      now,
    });
    for (const one of claimed) {
      const begun = { ...one, claimedAtMs: performance.now() };
      leases.hold(begun);
      places.take(() => deliver(begun));
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

function* sinceClaimed(held: Iterable<UnderWay>) {
  const now = performance.now();
  for (const { accountId, claimedAtMs } of held) yield { accountId, forMs: now - claimedAtMs };
}
