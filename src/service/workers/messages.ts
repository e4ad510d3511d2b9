import type { Worker } from 'node:cluster';
import { z } from 'zod';
import { processCountsSchema } from '../../metrics/metrics';

const question = z.number().int();

/** What a worker says to the primary process. */
export const fromWorkerSchema = z.discriminatedUnion('kind', [
  /** It answers requests. */
  z.object({ kind: z.literal('ready'), port: z.number().int() }),
  /** Accounts of which it has written something that others may wait for. */
  z.object({ kind: z.literal('due'), accountIds: z.array(z.string()) }),
  /** It was asked for the metrics of all, and has these itself. */
  z.object({ kind: z.literal('counts-wanted'), question, counts: processCountsSchema }),
  /** Its own counts, for a worker that was asked. */
  z.object({ kind: z.literal('counts'), question, counts: processCountsSchema }),
  /** It is about to stop listening, and waits for those who still come in. */
  z.object({ kind: z.literal('turn-wanted') }),
  /** It listens no more, and waits with telling its clients to leave. */
  z.object({ kind: z.literal('not-listening') }),
  /** Its event loop turns. */
  z.object({ kind: z.literal('pulse') }),
]);
export type FromWorker = z.infer<typeof fromWorkerSchema>;

/** What the primary process says to a worker. */
export const toWorkerSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('pulse-wanted') }),
  z.object({ kind: z.literal('turn-over') }),
  /** None of those that stop listens any more. */
  z.object({ kind: z.literal('none-listens') }),
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

/** Says nothing to a worker that is gone. */
export function tellWorker(worker: Worker, message: ToWorker): void {
  if (worker.isConnected()) worker.send(message);
}
