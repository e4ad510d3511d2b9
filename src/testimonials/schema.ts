import { z } from 'zod';
import {
  atMost,
  changesAnything,
  longTextCharacters,
  submitterEmail,
  text,
  uri,
  utcInstant,
  uuid,
  wireId,
  wireInstant,
} from '../api/fields';
import { beginsOnce, pageInput, pagination } from '../api/pagination';

const testimonialType = z.enum(['text', 'video']);
export const testimonialStatus = z.enum(['pending', 'approved', 'rejected']);
const rating = z.int().min(1).max(5).meta({ format: 'int32' });
const textContent = text(0, longTextCharacters);

/** What another system calls a testimonial. */
export const externalId = text(1, 200);

const fields = z.object({
  id: wireId,
  space_id: wireId.meta({ description: 'The space the testimonial belongs to.' }),
  user_id: wireId.meta({ description: 'The account that owns the testimonial.' }),
  type: testimonialType,
  status: testimonialStatus.meta({ description: 'Moderation status.' }),
  submitter_name: z.string(),
  submitter_email: z.string().nullable(),
  submitter_company: z.string().nullable(),
  submitter_role: z.string().nullable(),
  submitter_avatar_url: z.string().nullable(),
  text_content: z
    .string()
    .nullable()
    .meta({ description: 'Replaced by the transcript once a video is transcribed.' }),
  video_url: z.string().nullable(),
  video_thumbnail_url: z.string().nullable(),
  rating: rating.nullable(),
  ai_transcript: z
    .string()
    .nullable()
    .meta({ description: 'Transcript of a video testimonial, once transcribed.' }),
  shares: z.int().meta({ format: 'int32' }),
  created_at: wireInstant,
  updated_at: wireInstant,
  external_id: z.string().optional().meta({
    description: 'What another system calls it. There alone where an import has given one.',
  }),
});

export type Testimonial = z.infer<typeof fields>;

/** Whether a video's transcript is still to come. */
const transcriptionState = z.enum(['none', 'pending', 'done', 'failed']);

const transcription = z.object({
  transcription: transcriptionState.meta({
    description:
      'Of a video: `pending` while a transcript may still come, then `done` or `failed`; `none` of what is not transcribed. In a list, and of one testimonial, only with `include=transcription`.',
  }),
  language: z.string().nullable().meta({
    description:
      'The language of the transcript as the speech-to-text service calls it, where it does. As `transcription`, only where asked for.',
  }),
});

/** What a testimonial has for those who ask for it. */
export type Transcription = z.infer<typeof transcription>;

/** For the published document. */
export const exampleTestimonial = {
  id: '7f0c1a52-3c1e-4a86-9d0f-0a3d1c5b7e21',
  space_id: '0d9b7a34-6f5e-4c3b-8a21-9f8e7d6c5b4a',
  user_id: '5b1f2e3d-4c5b-4a69-8877-665544332211',
  type: 'text',
  status: 'approved',
  submitter_name: 'Ada Park',
  submitter_email: 'ada@example.com',
  submitter_company: 'Northwind',
  submitter_role: 'Head of Support',
  submitter_avatar_url: null,
  text_content: 'We answered our first customer within a minute.',
  video_url: null,
  video_thumbnail_url: null,
  rating: 5,
  ai_transcript: null,
  shares: 0,
  created_at: '2026-01-15T10:30:00.123456+00:00',
  updated_at: '2026-01-15T10:30:00.123456+00:00',
} satisfies Testimonial;

/** A testimonial on the wire: REST, dashboard and webhook payloads alike. Contract, section 2. */
export const testimonial = fields
  .extend(transcription.partial().shape)
  .meta({ id: 'Testimonial', examples: [exampleTestimonial] });

/** A testimonial and what was asked for beside it. */
export type IncludingTestimonial = z.infer<typeof testimonial>;

/** One whose change may be that of its transcription. */
export const testimonialWithTranscription = fields.extend(transcription.shape);

const includable = ['transcription'] as const;

/** Names separated by commas: fields that are not shown unless asked for. */
const include = atMost(200)
  .regex(new RegExp(`^(${includable.join('|')})(,(${includable.join('|')}))*$`))
  .meta({
    description:
      'What to show beside: `transcription` adds the fields `transcription` and `language`.',
    examples: ['transcription'],
  })
  .optional();

export type Include = z.infer<typeof include>;

/** Whether something was asked for. */
export function includes(asked: Include, name: (typeof includable)[number]): boolean {
  return asked?.split(',').includes(name) ?? false;
}

const testimonialId = uuid.meta({ description: 'The id of the testimonial.' });

export const testimonialIdInput = z.object({ id: testimonialId });

export const getTestimonialInput = z.object({ id: testimonialId, include });

/** Answers write instants in a form that these parameters refuse. */
const instantNote =
  'In UTC with `Z`: of an instant that an answer gave, write `Z` in place of `+00:00`, and keep the microseconds.';

export const listTestimonialsInput = z
  .object({
    space_id: uuid.meta({ description: 'Only testimonials of this space.' }).optional(),
    status: testimonialStatus.meta({ description: 'Only with this moderation status.' }).optional(),
    type: testimonialType.meta({ description: 'Only of this type.' }).optional(),
    rating: rating.meta({ description: 'Exactly this rating.' }).optional(),
    search: text(0, 1000)
      .meta({ description: 'Case-insensitive substring of text_content; % and _ are literal.' })
      .optional(),
    date_from: utcInstant.meta({ description: `Created at or after. ${instantNote}` }).optional(),
    date_to: utcInstant.meta({ description: `Created at or before. ${instantNote}` }).optional(),
    external_id: externalId
      .meta({ description: 'The one that an import has given this id, as it was given.' })
      .optional(),
    transcription: transcriptionState
      .meta({ description: 'Only where the transcription of the video stands so.' })
      .optional(),
    include,
    ...pageInput,
  })
  .refine(beginsOnce, 'Expected offset or cursor, not both');

export type ListTestimonialsInput = z.output<typeof listTestimonialsInput>;

export const testimonialPage = z.object({ data: z.array(testimonial).max(100), pagination }).meta({
  examples: [
    {
      data: [exampleTestimonial],
      pagination: { total: 1, limit: 50, offset: 0, has_more: false },
    },
  ],
});

export const createTestimonialInput = z
  .object({
    space_id: uuid.meta({ description: 'One of your spaces.' }),
    type: testimonialType,
    submitter_name: text(1, 100),
    submitter_email: submitterEmail,
    submitter_company: text(0, 100).optional(),
    submitter_role: text(0, 100).optional(),
    submitter_avatar_url: uri.optional(),
    text_content: textContent.optional(),
    video_url: uri
      .meta({ description: 'Publicly reachable URL of the video file; transcribed where direct.' })
      .optional(),
    video_thumbnail_url: uri.optional(),
    rating: rating.optional(),
    status: testimonialStatus.default('pending'),
  })
  .meta({
    examples: [
      {
        space_id: exampleTestimonial.space_id,
        type: exampleTestimonial.type,
        submitter_name: exampleTestimonial.submitter_name,
        submitter_email: exampleTestimonial.submitter_email,
        text_content: exampleTestimonial.text_content,
        rating: exampleTestimonial.rating,
      },
    ],
  });

export type CreateTestimonialInput = z.output<typeof createTestimonialInput>;

export const updateTestimonialInput = z
  .object({
    id: testimonialId,
    status: testimonialStatus.optional(),
    text_content: textContent.optional(),
    rating: rating.optional(),
    submitter_company: text(0, 100).optional(),
    submitter_role: text(0, 100).optional(),
  })
  .refine(changesAnything, 'Expected at least one field')
  .meta({ examples: [{ status: 'approved' }] });

export type TestimonialChanges = Omit<z.output<typeof updateTestimonialInput>, 'id'>;

/** Contract, section 8. A repeated id stands for one testimonial. */
const testimonialIds = z
  .array(uuid)
  .min(1)
  .max(100)
  .meta({ description: 'Those that are not yours are skipped.' });

export const updateBatchInput = z
  .object({ testimonial_ids: testimonialIds, status: testimonialStatus })
  .meta({ examples: [{ testimonial_ids: [exampleTestimonial.id], status: 'approved' }] });

export const deleteBatchInput = z
  .object({ testimonial_ids: testimonialIds })
  .meta({ examples: [{ testimonial_ids: [exampleTestimonial.id] }] });

export const testimonialAnswer = z
  .object({ data: testimonial })
  .meta({ examples: [{ data: exampleTestimonial }] });

export const updateBatchAnswer = z
  .object({
    data: z
      .array(testimonial)
      .max(100)
      .meta({ description: 'The updated testimonials, in the order of the ids.' }),
    updated: z
      .int()
      .min(0)
      .max(100)
      .meta({ format: 'int32', description: 'How many testimonials were updated.' }),
  })
  .meta({ examples: [{ data: [exampleTestimonial], updated: 1 }] });

export const deleteBatchAnswer = z
  .object({
    deleted: z
      .int()
      .min(0)
      .max(100)
      .meta({ format: 'int32', description: 'How many testimonials were deleted.' }),
  })
  .meta({ examples: [{ deleted: 1 }] });
