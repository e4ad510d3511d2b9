import { z } from 'zod';
import { runDeferred } from '../api/deferred';
import { inHeavyTurn } from '../api/heavy-turns';
import { procedure, router, whereThereIsRoom } from '../api/trpc';
import { announceDue } from '../outbox/due';
import { firstTryToken, makeFirstTry } from '../transcription/first-try';
import { listTestimonials } from './list';
import {
  createTestimonialInput,
  deleteBatchAnswer,
  deleteBatchInput,
  getTestimonialInput,
  listTestimonialsInput,
  testimonialAnswer,
  testimonialIdInput,
  testimonialPage,
  updateBatchAnswer,
  updateBatchInput,
  updateTestimonialInput,
} from './schema';
import {
  createTestimonial,
  deleteTestimonial,
  deleteTestimonials,
  getTestimonial,
  requireSmallBatch,
  updateTestimonial,
  updateTestimonials,
} from './testimonials';
import { transcriptionEnds } from './transcripts';

const tags = ['Testimonials'];

/** Contract, section 4, in the order in which the API reference shows them. */
export const testimonialsRouter = router({
  list: procedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/testimonials',
        operationId: 'listTestimonials',
        summary: 'List testimonials',
        description: 'Across every space of the account, newest first unless sorted otherwise.',
        tags,
      },
      scope: 'read',
      success: 200,
      cors: true,
    })
    .input(listTestimonialsInput)
    .output(testimonialPage)
    .query(({ ctx, input }) => listTestimonials(ctx.principal, input)),

  create: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/testimonials',
        operationId: 'createTestimonial',
        summary: 'Create a testimonial',
        description:
          'Fires `testimonial.created`. A video whose `video_url` leads straight to a file is transcribed before the answer, which is the row as inserted; read it again for the transcript. One that a passing fault keeps from it is tried again for a day.',
        tags,
      },
      scope: 'write',
      success: 201,
      errors: ['SPACE_NOT_FOUND'],
      cors: true,
    })
    .input(createTestimonialInput)
    .use(whereThereIsRoom)
    .output(testimonialAnswer)
    .mutation(async ({ ctx, input }) => {
      const { accountId } = ctx.principal;
      const token = firstTryToken(input);
      const data = await createTestimonial(accountId, input, ctx.writer, token);
      if (token) {
        await ctx.writer.afterCommit(async () => {
          // Not after the answer, as else: that may be minutes away.
          void runDeferred(() => announceDue(accountId));
          await makeFirstTry(data, token, transcriptionEnds);
        });
      }
      return { data };
    }),

  get: procedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/testimonials/{id}',
        operationId: 'getTestimonial',
        summary: 'Get a testimonial',
        tags,
      },
      scope: 'read',
      success: 200,
      errors: ['TESTIMONIAL_NOT_FOUND'],
      cors: true,
    })
    .input(getTestimonialInput)
    .output(testimonialAnswer)
    .query(async ({ ctx, input }) => ({
      data: await getTestimonial(ctx.principal, input.id, input.include),
    })),

  update: procedure
    .meta({
      openapi: {
        method: 'PATCH',
        path: '/testimonials/{id}',
        operationId: 'updateTestimonial',
        summary: 'Update a testimonial',
        description:
          'At least one field is required; unknown fields are ignored. Setting the status to `approved` or `rejected` fires the matching event, and no other; any other change fires `testimonial.updated`.',
        tags,
      },
      scope: 'write',
      isModeration: true,
      success: 200,
      errors: ['TESTIMONIAL_NOT_FOUND'],
      cors: true,
    })
    .input(updateTestimonialInput)
    .use(whereThereIsRoom)
    .output(testimonialAnswer)
    .mutation(async ({ ctx, input: { id, ...changes } }) => ({
      data: await updateTestimonial(ctx.principal.accountId, id, changes, ctx.writer),
    })),

  delete: procedure
    .meta({
      openapi: {
        method: 'DELETE',
        path: '/testimonials/{id}',
        operationId: 'deleteTestimonial',
        summary: 'Delete a testimonial',
        description:
          'Fires `testimonial.deleted`, and removes its uploaded avatar, video and thumbnail.',
        tags,
      },
      scope: 'delete',
      success: 204,
      errors: ['TESTIMONIAL_NOT_FOUND'],
      cors: true,
    })
    .input(testimonialIdInput)
    .output(z.void())
    .mutation(({ ctx, input }) => deleteTestimonial(ctx.principal.accountId, input.id, ctx.writer)),

  updateBatch: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/testimonials/batch/update',
        operationId: 'updateTestimonialBatch',
        summary: 'Set the status of up to 100 testimonials',
        description:
          'Ids that do not exist or belong to another account are skipped. `approved` and `rejected` fire their event once per testimonial.',
        tags,
      },
      scope: 'write',
      isModeration: true,
      success: 200,
    })
    .input(updateBatchInput)
    .use(whereThereIsRoom)
    .output(updateBatchAnswer)
    .mutation(async ({ ctx, input }) => {
      const ids = [...new Set(input.testimonial_ids)];
      const { accountId } = ctx.principal;
      await requireSmallBatch(ctx.principal, ids);
      const data = await inHeavyTurn(accountId, () =>
        updateTestimonials(accountId, ids, { status: input.status }, ctx.writer),
      );
      return { data, updated: data.length };
    }),

  deleteBatch: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/testimonials/batch/delete',
        operationId: 'deleteTestimonialBatch',
        summary: 'Delete up to 100 testimonials',
        description:
          'Ids that do not exist or belong to another account are skipped. Fires `testimonial.deleted` once per testimonial. Uploaded files stay in storage.',
        tags,
      },
      scope: 'delete',
      success: 200,
    })
    .input(deleteBatchInput)
    .output(deleteBatchAnswer)
    .mutation(async ({ ctx, input }) => {
      const ids = [...new Set(input.testimonial_ids)];
      const { accountId } = ctx.principal;
      return {
        deleted: await inHeavyTurn(accountId, () => deleteTestimonials(accountId, ids, ctx.writer)),
      };
    }),
});
