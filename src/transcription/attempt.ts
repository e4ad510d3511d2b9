import { withSignal } from '../background/with-signal';
import { log } from '../logging/log';
import { meter } from '../metrics/meter';
import { retryDelayMs } from './backoff';
import { transcriptionLimits as limits } from './limits';
import { NotTranscribed } from './not-transcribed';
import { giveBack, putOff, type TranscriptionJob } from './queue';
import type { Transcript } from './speech-to-text';
import { transcribeVideo } from './transcribe';

/** How the ends of jobs are written to their testimonials, each with its event. */
export type TranscriptionEnds = {
  /** Both end the job too, and return false where the testimonial waits for no such end any more. */
  save(
    job: TranscriptionJob,
    transcript: Transcript,
    options: {
      /** A text that somebody has written since the job was made stays. */
      keepsEdits: boolean;
    },
  ): Promise<boolean>;
  fail(job: TranscriptionJob): Promise<boolean>;
};

type TryOptions = {
  ends: TranscriptionEnds;
  /** Whether a request waits for it. */
  isFirst: boolean;
  timeoutMs: number;
  /** Calls the try off; the job is given back. */
  stop?: AbortSignal;
  /** Instead of the database's clock. */
  now?: Date | undefined;
  random: () => number;
};

/**
 * One try at a video. It ends with the transcript on the testimonial; or, where what stood in the way
 * may pass, with the job put off, for a day at most; or else as `failed`. The reason goes into the
 * log. Never throws: where the end cannot be written down, the lease runs out.
 */
export async function tryTranscription(job: TranscriptionJob, options: TryOptions): Promise<void> {
  const { ends, isFirst, stop, now } = options;
  const startedAt = performance.now();
  const line = (fields: Record<string, unknown>) => ({
    accountId: job.accountId,
    testimonialId: job.testimonialId,
    attempt: job.attempts,
    durationMs: Math.round(performance.now() - startedAt),
    ...fields,
  });
  try {
    const result = await outcomeOf(job, options);
    let isInTime = true;
    if ('text' in result) {
      isInTime = await saveSurely(() => ends.save(job, result, { keepsEdits: !isFirst }));
      if (isInTime) {
        meter()?.transcription('transcribed');
        log().info(line({ characters: result.text.length }), 'video transcribed');
      }
    } else if (stop?.aborted) {
      await giveBack(job, { counts: false, now });
    } else {
      isInTime = await endWithout(job, result.error, options, line);
    }
    if (isInTime) return;
    // Changed meanwhile, it has another link to be tried; gone, its job goes with the next look.
    await giveBack(job, { counts: true, now });
    const reason =
      'another process has it or its transcript, or it was changed or deleted meanwhile';
    log().warn(line({ reason }), 'a try at a video came too late');
  } catch (error) {
    log().error(line({ err: error }), 'the end of a transcription was not written down');
  }
}

/**
 * A database that fails for a moment must not have a video transcribed, and paid for, twice. Of a try that
 * fails nobody knows whether it was done, and of another one's result no more: it counts as saved.
 */
async function saveSurely(save: () => Promise<boolean>): Promise<boolean> {
  try {
    return await save();
  } catch (error) {
    log().warn({ err: error }, 'a transcript is not saved, trying again');
    await save();
    return true;
  }
}

async function outcomeOf(
  { accountId, videoUrl: url, attempts, wasInterrupted }: TranscriptionJob,
  { isFirst, timeoutMs, stop }: TryOptions,
): Promise<Transcript | { error: unknown }> {
  if (url === null) return { error: new NotTranscribed('it has no link any more') };
  // A file that ends the process each time must not do so for ever.
  if (wasInterrupted && attempts > limits.interruptions) {
    const reason = 'the try before has no end: its process died, or stood still';
    return { error: new NotTranscribed(reason, { mayPass: true }) };
  }
  try {
    return await withSignal({ stop, timeoutMs }, (signal) =>
      transcribeVideo({ accountId, url }, { isFirst, signal }),
    );
  } catch (error) {
    return { error };
  }
}

/**
 * What is no reason of link, file or provider, a full disk or a defect, may pass as well. Resolves to
 * false, having told nothing, where the video is not this try's to end any more.
 */
async function endWithout(
  job: TranscriptionJob,
  error: unknown,
  { ends, now, random }: TryOptions,
  line: (fields: Record<string, unknown>) => object,
): Promise<boolean> {
  const isExpected = error instanceof NotTranscribed;
  const about = isExpected ? { reason: error.message } : { err: error };
  const say = (fields: Record<string, unknown>, message: string) =>
    log()[isExpected ? 'warn' : 'error'](line({ ...about, ...fields }), message);
  if (!isExpected || error.mayPass) {
    const retryAfter = isExpected ? error.retryAfter : undefined;
    const { attempts } = job;
    const delayMs = retryDelayMs({ attempts, retryAfter }, now ?? new Date(), random);
    if (await putOff(job, delayMs, now)) {
      meter()?.transcription('put_off');
      say({ retryInSeconds: Math.round(delayMs / 1000) }, 'video not transcribed yet');
      return true;
    }
  }
  if (!(await ends.fail(job))) return false;
  meter()?.transcription('failed');
  say({}, 'video not transcribed');
  return true;
}
