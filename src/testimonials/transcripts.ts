import { accountWriter } from '../api/write-turns';
import { Prisma } from '../database/generated/client';
import { changed, emit } from '../outbox/emit';
import type { TranscriptionEnds } from '../transcription/attempt';
import { createTranscriptionJob } from '../transcription/job';
import { type TranscriptionJob, textHash } from '../transcription/queue';
import { optionalName, transcriptionColumns, updatedFields, wireColumns } from './columns';

/** The text as it was when the job was made, by its hash. */
const replacedText = Prisma.sql`(
  SELECT j.text_hash FROM transcription_jobs j WHERE j.testimonial_id = t.id
)`;

/** How a transcription ends: on the testimonial, with its event. */
export const transcriptionEnds: TranscriptionEnds = {
  /** Saves the transcript as `ai_transcript` and `text_content`. Contract, POST /testimonials. */
  save: (job, { text, language }, { keepsEdits }) =>
    end(
      job,
      Prisma.sql`transcription = 'done', language = ${language}, ai_transcript = ${text},
        replaced_text_hash = ${replacedText}, text_content = ${keepsEdits ? unlessEdited(text) : text}`,
    ),
  /** Not where the lease has run out and somebody else tries: whose try it is may yet succeed. */
  fail: (job) =>
    end(
      job,
      Prisma.sql`transcription = 'failed'`,
      Prisma.sql`AND EXISTS (
        SELECT FROM transcription_jobs j
        WHERE j.testimonial_id = t.id AND j.lease_token = ${job.token}::uuid
      )`,
    ),
};

function unlessEdited(text: string): Prisma.Sql {
  return Prisma.sql`CASE WHEN ${textHash('t.text_content')} = ${replacedText}
    THEN ${text} ELSE t.text_content END`;
}

/** Tries again what requests have left, and what was imported. */
export const transcriptionJob = createTranscriptionJob(transcriptionEnds);

/**
 * Changes the testimonial, ends its job and emits `testimonial.updated`, in one statement. False where
 * the testimonial is gone, has another video by now, or has had its end from somebody else.
 *
 * The testimonial is locked first, then the job, then the account: as in every other statement.
 */
async function end(
  { accountId, testimonialId, videoUrl }: TranscriptionJob,
  assignments: Prisma.Sql,
  condition = Prisma.empty,
): Promise<boolean> {
  const ended = await accountWriter(accountId).write<{ id: string }>(Prisma.sql`
    WITH updated AS (
      UPDATE testimonials t SET ${assignments}, event_sequence = t.event_sequence + 1
      WHERE t.id = ${testimonialId}::uuid AND t.user_id = ${accountId}::uuid
        AND t.transcription = 'pending' AND t.video_url IS NOT DISTINCT FROM ${videoUrl}
        ${condition}
      RETURNING ${wireColumns}, ${transcriptionColumns}, t.event_sequence,
        t.status AS previous_status
    ),
    job AS (
      DELETE FROM transcription_jobs j USING updated
      WHERE j.testimonial_id = updated.id AND j.user_id = updated.user_id
      RETURNING j.testimonial_id
    ),
    ${changed('updated', updatedFields, { optional: optionalName, after: 'job' })},
    ${emit(['testimonial.updated', 'changed'])}
    SELECT id FROM updated`);
  return ended.length > 0;
}
