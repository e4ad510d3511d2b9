import { z } from 'zod';
import { atMost, longTextCharacters, text, wireId } from '../api/fields';
import { createTestimonialInput, exampleTestimonial, externalId } from '../testimonials/schema';
import { utcMicroseconds } from './instant';

/** How many testimonials one request may bring. */
export const maxItems = 1000;

/** How many errors of one item are told. */
export const maxErrors = 10;

/** Before the year 1 and after 9999 there are no instants that answers could write. */
const importedInstant = atMost(64)
  .check(z.iso.datetime({ offset: true }))
  .transform((instant, { issues }) => {
    const utc = utcMicroseconds(instant);
    if (utc === undefined) issues.push({ code: 'custom', input: instant });
    return utc ?? z.NEVER;
  })
  .meta({
    format: 'date-time',
    pattern: String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$`,
    description:
      'When it was given, in the past, the year 1 at the earliest, with `Z` or an offset: history keeps its dates. The moment of the import where left out.',
  });

/** One testimonial of an import: the fields of a create, and what only history has. */
export const importedTestimonial = z.object({
  ...createTestimonialInput.shape,
  // No default: an update without a status leaves the one that is there.
  status: createTestimonialInput.shape.status.unwrap().optional().meta({
    description: 'Of a new testimonial `pending` where left out.',
  }),
  external_id: externalId
    .meta({
      description:
        'What your system calls it, unique in your account. By it the same import, sent again, creates nothing.',
    })
    .optional(),
  created_at: importedInstant.optional(),
  ai_transcript: text(0, longTextCharacters)
    .meta({ description: 'The transcript of a video, where you have one: it is not made again.' })
    .optional(),
});

export type ImportedTestimonial = z.output<typeof importedTestimonial>;

const { $schema: _, ...itemJsonSchema } = z.toJSONSchema(importedTestimonial, { io: 'input' });

/** What each field of an item must be, as the document says it. */
export const fieldSchemas = itemJsonSchema.properties ?? {};

/** Documented as what it should be, and taken as whatever it is: one bad item refuses no other. */
const item = z.unknown().meta({ id: 'ImportedTestimonial', ...itemJsonSchema });

const exampleItem = {
  external_id: 'crm-1042',
  space_id: exampleTestimonial.space_id,
  type: exampleTestimonial.type,
  submitter_name: exampleTestimonial.submitter_name,
  submitter_email: exampleTestimonial.submitter_email,
  text_content: exampleTestimonial.text_content,
  rating: exampleTestimonial.rating,
  status: exampleTestimonial.status,
  created_at: '2019-05-04T08:15:00Z',
};

export const importInput = z
  .object({
    testimonials: z.array(item).min(1).max(maxItems),
    on_duplicate: z.enum(['skip', 'update']).default('skip').meta({
      description:
        'What becomes of a testimonial whose `external_id` is there already: it stays as it is, or its fields are set to those that the item gives.',
    }),
    events: z.boolean().default(true).meta({
      description:
        'False: no events. Webhooks and whoever follows the feed then hear nothing of this import, but of transcripts that come later.',
    }),
  })
  .meta({ examples: [{ testimonials: [exampleItem], on_duplicate: 'skip', events: true }] });

export type ImportOptions = Omit<z.output<typeof importInput>, 'testimonials'>;

const itemError = z
  .object({
    field: z.string().optional().meta({
      description: 'The field that is wrong; absent where the item as a whole is.',
    }),
    message: z.string().meta({ description: 'What is wrong with it, for a person.' }),
  })
  .meta({ id: 'ImportError' });

export type ItemError = z.infer<typeof itemError>;

const itemResult = z
  .object({
    result: z.enum(['created', 'updated', 'skipped', 'invalid']).meta({
      description:
        '`skipped`: its `external_id` is there already, and nothing was to be changed. `invalid`: nothing was done, see `errors`.',
    }),
    id: wireId
      .optional()
      .meta({ description: 'The id of the testimonial; absent where the item is `invalid`.' }),
    external_id: z.string().optional().meta({ description: 'As given, where it is one.' }),
    errors: z
      .array(itemError)
      .max(maxErrors)
      .optional()
      .meta({ description: 'Of an `invalid` item alone: what is wrong, never the value.' }),
  })
  .meta({ id: 'ImportResult' });

export type ItemResult = z.infer<typeof itemResult>;

const total = z.int().min(0).max(maxItems).meta({ format: 'int32' });

export const importAnswer = z
  .object({
    data: z
      .array(itemResult)
      .max(maxItems)
      .meta({ description: 'One result for each item, in their order.' }),
    created: total.meta({ description: 'How many testimonials were created.' }),
    updated: total.meta({ description: 'How many were changed.' }),
    skipped: total.meta({ description: 'How many were left as they are.' }),
    invalid: total.meta({ description: 'How many items were refused.' }),
  })
  .meta({
    examples: [
      {
        data: [
          { result: 'created', id: exampleTestimonial.id, external_id: exampleItem.external_id },
          {
            result: 'invalid',
            external_id: 'crm-1043',
            errors: [{ field: 'rating', message: 'must be a whole number from 1 to 5' }],
          },
        ],
        created: 1,
        updated: 0,
        skipped: 0,
        invalid: 1,
      },
    ],
  });

export type ImportAnswer = z.infer<typeof importAnswer>;
