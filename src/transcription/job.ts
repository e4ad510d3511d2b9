import { randomUUID } from 'node:crypto';
import { byAccount } from '../background/held-leases';
import { type Job, type JobContext, nothingStarted, type RunningJob } from '../background/job';
import { createPlaces } from '../background/places';
import { type TranscriptionEnds, tryTranscription } from './attempt';
import { heldByFirstTries } from './first-try';
import { createTranscriptionLeases } from './leases';
import { transcriptionLimits as limits } from './limits';
import { claimTranscriptions, endUnwanted, type TranscriptionJob } from './queue';

/** Time to write the last outcome down. */
const recordingMs = 2_000;

/** Tries the videos that are due: imported ones, and those whose try before failed or broke off. */
export function createTranscriptionJob(ends: TranscriptionEnds): Job {
  return { name: 'transcriptions', begin: (context) => begin(context, ends) };
}

function begin(context: JobContext, ends: TranscriptionEnds): RunningJob {
  const { now, random, deadlineAt = Number.POSITIVE_INFINITY, onDone } = context;
  const places = createPlaces(limits.laterTriesAtOnce, onDone);
  const stop = new AbortController();
  const leases = createTranscriptionLeases(now);
  // A process that does not stay has no later turn for what it misses.
  const restMs = deadlineAt === Number.POSITIVE_INFINITY ? limits.lookEveryMs : 0;
  /** Nothing was due at the last look, and no look before this is worth a statement. */
  let restsUntil = Number.NEGATIVE_INFINITY;
  let wasAskedMeanwhile = false;

  const timeoutMs = () => Math.min(limits.totalTimeoutMs, deadlineAt - Date.now() - recordingMs);
  const attempt = async (job: TranscriptionJob) => {
    await tryTranscription(job, {
      ends,
      isFirst: false,
      timeoutMs: timeoutMs(),
      stop: stop.signal,
      now,
      random,
    });
    leases.release(job);
  };

  return {
    async start() {
      const free = places.free();
      if (free === 0 || stop.signal.aborted || timeoutMs() < limits.leastTryMs) {
        return nothingStarted;
      }
      wasAskedMeanwhile = performance.now() < restsUntil;
      if (wasAskedMeanwhile) return nothingStarted;
      const { claimed, mayHaveMore, unwantedOf } = await claimTranscriptions({
        free,
        underWay: byAccount(leases.held),
        held: [...leases.held, ...heldByFirstTries()],
        token: randomUUID(),
        start: randomUUID(),
        now,
      });
      for (const job of claimed) {
        leases.hold(job);
        places.take(() => attempt(job));
      }
      if (unwantedOf.length > 0) {
        await endUnwanted(unwantedOf, now);
        // What they stood before is for the next turn: other jobs, and a stop, wait for this one.
        onDone();
      } else if (claimed.length === 0 && !mayHaveMore) {
        restsUntil = performance.now() + restMs;
      }
      const isFull = claimed.length === free || (mayHaveMore && claimed.length > 0);
      return { started: claimed.length, isFull };
    },
    underWay: places.taken,
    // A try again may be late; what a write has just left is looked for when the rest is over.
    nextDueInMs: async () => (wasAskedMeanwhile ? restsUntil - performance.now() : undefined),
    abort: () => stop.abort(),
    settled: places.settled,
  };
}
