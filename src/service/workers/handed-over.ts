import type { Worker } from 'node:cluster';
import { z } from 'zod';

/** Node's own messages about connections; not documented, and the same since version 6. */
const handOver = z.object({
  cmd: z.literal('NODE_CLUSTER'),
  act: z.literal('newconn'),
  seq: z.number(),
});
const answer = z.object({ cmd: z.literal('NODE_CLUSTER'), ack: z.number() });

/**
 * Gives what a worker was just handed to another, where the worker dies before it has taken it, and
 * closes it where there is none. Node waits for its answer for ever, and the client with it. Where a
 * later version talks otherwise, it is as if this were not there.
 */
export function keepHandedOver(worker: Worker, isAnotherThere: () => boolean): void {
  const { process: child } = worker;
  const open = new Set<number>();
  const send = child.send;
  Object.defineProperty(child, 'send', {
    value: (message: unknown, ...rest: unknown[]) => {
      // What the service itself says comes by here too.
      if (typeof message === 'object' && message !== null && 'act' in message) {
        const handing = handOver.safeParse(message).data;
        if (handing) open.add(handing.seq);
      }
      return Reflect.apply(send, child, [message, ...rest]);
    },
  });
  child.on('internalMessage', (message: unknown) => {
    if (open.size === 0) return;
    const answered = answer.safeParse(message).data;
    if (answered) open.delete(answered.ack);
  });
  worker.once('exit', () => {
    for (const seq of [...open]) {
      const isDone = { cmd: 'NODE_CLUSTER', ack: seq, accepted: !isAnotherThere() };
      child.emit('internalMessage', isDone);
    }
  });
}
