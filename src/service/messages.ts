import { z } from 'zod';
import { processCountsSchema } from '../metrics/metrics';

const question = z.number().int();

/** What a worker says to the primary process. */
export const fromWorkerSchema = z.discriminatedUnion('kind', [
  /** It answers requests. */
  z.object({ kind: z.literal('ready'), port: z.number().int() }),
  /** Accounts of which it has written something that others may wait for. */
  z.object({ kind: z.literal('due'), accountIds: z.array(z.string()) }),
  /** It was asked for the metrics of all. */
  z.object({ kind: z.literal('counts-wanted'), question }),
  /** Its own counts, for a worker that was asked. */
  z.object({ kind: z.literal('counts'), question, counts: processCountsSchema }),
]);
export type FromWorker = z.infer<typeof fromWorkerSchema>;

/** What the primary process says to a worker. */
export const toWorkerSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('stop') }),
  z.object({ kind: z.literal('due'), accountIds: z.array(z.string()) }),
  z.object({ kind: z.literal('counts-wanted'), question }),
  z.object({
    kind: z.literal('counts-of-others'),
    question,
    counts: z.array(processCountsSchema),
  }),
]);
export type ToWorker = z.infer<typeof toWorkerSchema>;

/** Undefined for what a library says on the same channel. */
export function readMessage<T>(schema: z.ZodType<T>, message: unknown): T | undefined {
  // Most are of the rate limit, one for each request.
  if (typeof message !== 'object' || message === null || !('kind' in message)) return undefined;
  return schema.safeParse(message).data;
}
