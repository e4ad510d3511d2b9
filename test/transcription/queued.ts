import { database } from '@/src/database/client';
import { Prisma } from '@/src/database/generated/client';
import { changed, emit } from '@/src/outbox/emit';
import { columnNames, wireColumns } from '@/src/testimonials/columns';
import { enqueueTranscriptions } from '@/src/transcription/queue';
import { minimalTestimonial, type Tenant } from '../helpers/accounts';
import { minuteMs } from '../helpers/durations';

/** Creates a video testimonial of the link, and waits for the answer. Returns its id. */
export async function createVideo(tenant: Tenant, url: string): Promise<string> {
  const { id: spaceId } = await tenant.space();
  const { status, body } = await tenant.api.post('/testimonials', {
    ...minimalTestimonial(spaceId),
    type: 'video',
    video_url: url,
  });
  expect(status).toBe(201);
  return body.data.id;
}

/** As an import does: so many videos of one link, in one statement, tried by nobody yet. */
export async function importVideos(tenant: Tenant, url: string, count: number): Promise<string[]> {
  const { id: spaceId } = await tenant.space();
  const rows = await database().$queryRaw<{ id: string }[]>(Prisma.sql`
    WITH inserted AS (
      INSERT INTO testimonials AS t
        (user_id, space_id, type, submitter_name, video_url, transcription, event_sequence)
      SELECT s.user_id, s.id, 'video', 'Ada Park', ${url}, 'pending', 1
      FROM spaces s, generate_series(1, ${count}::int) WHERE s.id = ${spaceId}::uuid
      RETURNING ${wireColumns}, t.event_sequence, t.transcription
    ),
    ${enqueueTranscriptions('inserted')},
    ${changed('inserted', columnNames)},
    ${emit(['testimonial.created', 'changed'])}
    SELECT id FROM inserted`);
  return rows.map(({ id }) => id);
}

/** How a testimonial's transcription stands, as those who ask see it. */
export async function stateOf(tenant: Tenant, id: string) {
  const { body } = await tenant.api.get(`/testimonials/${id}?include=transcription`);
  const { transcription, language, ai_transcript } = body.data;
  return { transcription, language, ai_transcript };
}

export const transcribed = (text: string, language: string | null = null) => ({
  transcription: 'done',
  language,
  ai_transcript: text,
});

export const withoutTranscript = (transcription: 'none' | 'pending' | 'failed') => ({
  transcription,
  language: null,
  ai_transcript: null,
});

/** The account's jobs, the oldest first. */
export function jobsOf({ accountId }: Tenant) {
  return database().transcriptionJob.findMany({
    where: { userId: accountId },
    orderBy: { createdAt: 'asc' },
  });
}

/** Longer after than the first step with its jitter. */
export const next = () => new Date(Date.now() + 1.3 * minuteMs);
