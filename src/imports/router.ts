import { maxImportBytes, sizeOf } from '../api/body';
import { inHeavyTurn } from '../api/heavy-turns';
import { requireRoom } from '../api/quota';
import { procedure, router, whereThereIsRoom } from '../api/trpc';
import { importTestimonials, leastBytes } from './import';
import { importAnswer, importInput, maxItems } from './schema';

export const importsRouter = router({
  create: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/imports',
        operationId: 'importTestimonials',
        summary: `Import up to ${maxItems} testimonials`,
        description: `Brings testimonials from elsewhere, with their dates, in one request of the limit. The body may have ${sizeOf(maxImportBytes)}. Each item is created, updated or skipped by itself, and one that is not valid refuses no other: see \`data\`, in the order of the items.

An item with an \`external_id\` is created once, however often it is sent. One without is created each time: send an \`Idempotency-Key\` with those. Of several items with the same \`external_id\` the first counts, and the others are invalid.

With \`on_duplicate: update\`, the fields that an item gives are set, and what it leaves out stays. Where nothing would change it is skipped, so that an import may be repeated each night. A status that changes fires its event, any other change \`testimonial.updated\`; what is new fires \`testimonial.created\`, dated now, with the dates of the row in its data. \`updated_at\` is the moment of the import.

Videos are transcribed after the answer, unless they bring an \`ai_transcript\`. With \`Prefer: handling=strict\`, an item with unknown fields is invalid.`,
        tags: ['Testimonials'],
      },
      scope: 'write',
      success: 200,
    })
    .input(importInput)
    .use(whereThereIsRoom)
    .output(importAnswer)
    .mutation(async ({ ctx, input: { testimonials, ...options } }) => {
      const { principal, writer, isStrict = false } = ctx;
      const { accountId } = principal;
      await requireRoom(principal, { addedBytes: leastBytes(testimonials) });
      return inHeavyTurn(accountId, () =>
        importTestimonials(accountId, testimonials, options, { writer, isStrict }),
      );
    }),
});
