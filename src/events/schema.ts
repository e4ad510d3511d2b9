import { z } from 'zod';
import { uuid } from '../api/fields';
import { type EventType, eventTypes } from '../outbox/event-types';
import { exampleEvent } from '../webhooks/example';

/** What stands for the end of the feed, where else a cursor does. */
export const latest = 'latest';

/** Long enough that a client which always waits stays far below the rate limit. */
export const longestWaitSeconds = 20;

const type = z.enum(eventTypes);

const anyType = eventTypes.map((name) => name.replace('.', String.raw`\.`)).join('|');

/** For the published document: what stands between the commas is checked by itself. */
const typesPattern = `^(${anyType})(,(${anyType}))*$`;

export const listEventsInput = z.object({
  after: z
    .string()
    .max(200)
    .meta({
      description:
        'A cursor that an earlier answer gave; events after it are returned. `latest` is the end of the feed. Without it, the oldest event that is kept comes first.',
    })
    .optional(),
  types: z
    .string()
    .max(300)
    .transform((list) => list.split(','))
    .pipe(z.array(type))
    .meta({
      description: 'Only events of these types, separated by commas.',
      pattern: typesPattern,
      examples: ['testimonial.created,testimonial.deleted'],
    })
    .optional(),
  limit: z
    .int()
    .min(1)
    .max(100)
    .default(50)
    .meta({ format: 'int32', description: 'How many events to return.' }),
  wait: z.int().min(0).max(longestWaitSeconds).default(0).meta({
    format: 'int32',
    description: 'Where there is no event yet: for how many seconds to wait for one.',
  }),
});

/** An event as it was stored, with the data that the resource had then. */
export type FeedEvent = {
  id: string;
  type: EventType;
  timestamp: string;
  sequence: number;
  data: unknown;
};

/** Not checked when it is answered: what was stored before a field was added lacks it. */
const feedEvent = z
  .custom<FeedEvent>((value) => typeof value === 'object' && value !== null)
  .meta({ override: { $ref: '#/components/schemas/WebhookEvent' } });

export type ListEventsInput = z.output<typeof listEventsInput>;

export const eventPage = z
  .object({
    data: z.array(feedEvent).max(100),
    pagination: z
      .object({
        next_cursor: z.string().meta({
          description: 'The `after` of the next request, also where no event came. Keep it.',
        }),
        has_more: z.boolean().meta({
          description:
            'Whether the feed goes on after `next_cursor`: ask again at once. With `types`, a page may be empty and the feed go on.',
        }),
      })
      .meta({ id: 'FeedPagination' }),
  })
  .meta({
    examples: [
      {
        data: [exampleEvent('testimonial.approved')],
        pagination: { next_cursor: 'WyI1YjFmMmUzZCIsNDJd', has_more: false },
      },
    ],
  });

export type EventPage = z.infer<typeof eventPage>;

export const eventIdInput = z.object({ id: uuid.meta({ description: 'The id of the event.' }) });

export const eventAnswer = z
  .object({ data: feedEvent })
  .meta({ examples: [{ data: exampleEvent('testimonial.approved') }] });
