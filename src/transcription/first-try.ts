import { randomUUID } from 'node:crypto';
import { singleton } from '../singleton';
import { type TranscriptionEnds, tryTranscription } from './attempt';
import { createTranscriptionLeases } from './leases';
import { transcriptionLimits as limits } from './limits';
import type { TranscriptionJob } from './queue';
import { speechToText } from './speech-to-text';
import { announceTranscription } from './transcribe';

/**
 * The token under which a request leases the job of the testimonial that it creates; undefined for
 * what is not transcribed: without a link, or where no speech-to-text service is configured.
 */
export function firstTryToken(created: { type: string; video_url?: string }): string | undefined {
  if (created.type !== 'video' || created.video_url === undefined) return undefined;
  if (speechToText()) return randomUUID();
  announceTranscription();
  return undefined;
}

/**
 * The try for which the request that creates a testimonial waits. Its job was written with the row,
 * under `token`. Never throws. Contract, POST /testimonials.
 */
export async function makeFirstTry(
  created: { id: string; user_id: string; video_url: string | null },
  token: string,
  ends: TranscriptionEnds,
): Promise<void> {
  const job: TranscriptionJob = {
    testimonialId: created.id,
    accountId: created.user_id,
    videoUrl: created.video_url,
    token,
    attempts: 1,
    wasInterrupted: false,
  };
  const leases = heldLeases();
  leases.hold(job);
  try {
    const timeoutMs = limits.totalTimeoutMs;
    await tryTranscription(job, { ends, isFirst: true, timeoutMs, random: Math.random });
  } finally {
    leases.release(job);
  }
}

/** What requests to this process try now. */
export function heldByFirstTries(): ReadonlySet<TranscriptionJob> {
  return heldLeases().held;
}

const heldLeases = () => singleton('first-tries', () => createTranscriptionLeases());
