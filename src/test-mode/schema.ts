import { z } from 'zod';
import { modes } from '../mode';

/** What the pages of the session show from its next request on. */
export const modeInput = z.object({ mode: z.enum(modes) });

export const modeAnswer = z.object({ mode: z.enum(modes) });

export const addedSamples = z.object({
  space_id: z.uuid(),
  testimonials: z.int(),
});

/** No kind of row is counted further than this. */
export const countedRows = 100_000;

const count = z.int().min(0).max(countedRows);

/** What emptying the test data removes. Keys and endpoints stay. */
export const testDataCounts = z.object({
  spaces: count,
  testimonials: count,
  files: count,
  events: count,
  deliveries: count,
  requests: count,
});

export type TestDataCounts = z.infer<typeof testDataCounts>;

export const emptied = z.object({
  /** By this call. */
  removed: z.int(),
  /** False where there is more, for the next call. */
  is_done: z.boolean(),
});
