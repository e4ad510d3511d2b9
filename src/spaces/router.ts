import { z } from 'zod';
import { modeOf } from '../api/principal';
import { procedure, router, whereThereIsRoom } from '../api/trpc';
import {
  createSpaceInput,
  listSpacesInput,
  spaceAnswer,
  spaceIdInput,
  spacePage,
  updateSpaceInput,
} from './schema';
import { createSpace, deleteSpace, getSpace, listSpaces, updateSpace } from './spaces';

const tags = ['Spaces'];

/** Contract, section 4. */
export const spacesRouter = router({
  list: procedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/spaces',
        operationId: 'listSpaces',
        summary: 'List spaces',
        description:
          'Newest first unless sorted otherwise; `rating` and `shares` sort by creation.',
        tags,
      },
      scope: 'read',
      success: 200,
      cors: true,
    })
    .input(listSpacesInput)
    .output(spacePage)
    .query(({ ctx, input }) => listSpaces(ctx.principal, input)),

  create: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/spaces',
        operationId: 'createSpace',
        summary: 'Create a space',
        tags,
      },
      scope: 'write',
      success: 201,
      cors: true,
    })
    .input(createSpaceInput)
    .use(whereThereIsRoom)
    .output(spaceAnswer)
    .mutation(async ({ ctx, input }) => ({
      data: await createSpace(
        { accountId: ctx.principal.accountId, mode: modeOf(ctx.principal) },
        input,
        ctx.writer,
      ),
    })),

  get: procedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/spaces/{id}',
        operationId: 'getSpace',
        summary: 'Get a space',
        tags,
      },
      scope: 'read',
      success: 200,
      errors: ['SPACE_NOT_FOUND'],
    })
    .input(spaceIdInput)
    .output(spaceAnswer)
    .query(async ({ ctx, input }) => ({ data: await getSpace(ctx.principal, input.id) })),

  update: procedure
    .meta({
      openapi: {
        method: 'PATCH',
        path: '/spaces/{id}',
        operationId: 'updateSpace',
        summary: 'Update a space',
        description: 'At least one field is required; unknown fields are ignored.',
        tags,
      },
      scope: 'write',
      success: 200,
      errors: ['SPACE_NOT_FOUND'],
    })
    .input(updateSpaceInput)
    .use(whereThereIsRoom)
    .output(spaceAnswer)
    .mutation(async ({ ctx, input: { id, ...changes } }) => ({
      data: await updateSpace(ctx.principal.accountId, id, changes, ctx.writer),
    })),

  delete: procedure
    .meta({
      openapi: {
        method: 'DELETE',
        path: '/spaces/{id}',
        operationId: 'deleteSpace',
        summary: 'Delete a space and its testimonials',
        description:
          'Answers 204 also where the account has no such space. Fires `space.deleted`, and nothing for its testimonials.',
        tags,
      },
      scope: 'delete',
      success: 204,
    })
    .input(spaceIdInput)
    .output(z.void())
    .mutation(({ ctx, input }) =>
      deleteSpace(ctx.principal.accountId, input.id, ctx.requireAccessStill),
    ),
});
