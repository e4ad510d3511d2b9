import { createHeldLeases, type HeldLeases, tokensOf } from '../background/held-leases';
import { database } from '../database/client';
import { instant } from '../database/sql/instants';
import { log } from '../logging/log';
import { transcriptionLimits as limits } from './limits';
import { leaseEnd, type TranscriptionJob } from './queue';

/** The leases of what this process tries. `now` stands in for the database's clock. */
export function createTranscriptionLeases(now?: Date): HeldLeases<TranscriptionJob> {
  return createHeldLeases<TranscriptionJob>({
    everyMs: limits.renewLeasesEveryMs,
    async renew(held) {
      try {
        await renewLeases(held, now);
      } catch (error) {
        log().warn({ err: error }, 'leases of transcriptions not renewed');
      }
    },
  });
}

/** Has the leases of jobs that are still being tried last anew, those too that have just run out. */
async function renewLeases(held: Iterable<TranscriptionJob>, now?: Date): Promise<void> {
  const tokens = tokensOf(held);
  // Whoever has one locked ends it: to wait for that could become a circle.
  await database().$executeRaw`
    WITH leased AS MATERIALIZED (
      SELECT j.testimonial_id FROM transcription_jobs j
      WHERE j.testimonial_id = ANY (${[...held].map((job) => job.testimonialId)}::uuid[])
        AND j.lease_token = ANY (${tokens}::uuid[])
      FOR UPDATE SKIP LOCKED
    )
    UPDATE transcription_jobs j SET next_attempt_at = ${leaseEnd(instant(now))}
    FROM leased WHERE j.testimonial_id = leased.testimonial_id`;
}
