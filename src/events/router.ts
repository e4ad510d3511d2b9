import { procedure, router } from '../api/trpc';
import { listEvents } from './events';
import { getEvent } from './feed';
import { eventAnswer, eventIdInput, eventPage, listEventsInput } from './schema';

const tags = ['Events'];

/** Whether an event is kept depends on its age and not on the account's version: no entity tags. */
export const eventsRouter = router({
  list: procedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/events',
        operationId: 'listEvents',
        summary: 'Follow the events',
        description:
          'Every event of the account, of all types, in the order in which the changes were made, and the same to everybody: none ever comes before one that was read. They are kept for 30 days; a cursor behind which events are gone answers 410 `CURSOR_EXPIRED`. To keep a copy: take a cursor with `after=latest`, list everything, and follow the feed from that cursor. With `wait`, a request for what is not there yet is answered when it comes.',
        tags,
      },
      scope: 'read',
      success: 200,
      errors: ['CURSOR_EXPIRED', 'OVERLOADED'],
      conditional: false,
    })
    .input(listEventsInput)
    .output(eventPage)
    .query(({ ctx, input }) => listEvents(ctx.principal.accountId, input, ctx)),

  get: procedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/events/{id}',
        operationId: 'getEvent',
        summary: 'Get an event',
        tags,
      },
      scope: 'read',
      success: 200,
      errors: ['EVENT_NOT_FOUND'],
      conditional: false,
    })
    .input(eventIdInput)
    .output(eventAnswer)
    .query(async ({ ctx, input }) => ({ data: await getEvent(ctx.principal.accountId, input.id) })),
});
