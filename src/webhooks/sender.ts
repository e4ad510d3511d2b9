import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { log } from '../log';
import { attempt } from './attempt';
import { webhookLimits } from './limits';
import { type Claimed, claimDue } from './queue';
import { createRecorder } from './recorder';

export type SenderOptions = {
  /** The time by which deliveries are due, signed and scheduled, instead of the clocks. */
  now?: Date | undefined;
  /** 0 to 1, for the jitter. */
  random?: () => number;
  /** Called whenever attempts were recorded, so that there may be room for others. */
  onRecorded: () => void;
};

/** The attempts under way in this process. */
export type Sender = {
  /** Claims what there is room for and starts sending it. Returns how many, and the room it had. */
  start(): Promise<{ started: number; room: number }>;
  /** How many are claimed and not yet recorded. */
  underWay(): number;
  /** Ends what is being sent: the deliveries go back to the queue as if not attempted. */
  abort(): void;
  /** Resolves once nothing is under way. */
  settled(): Promise<void>;
};

export function createSender({ now, random = Math.random, onRecorded }: SenderOptions): Sender {
  const underWay = new Set<Promise<void>>();
  const stop = new AbortController();
  // Every attempt listens.
  setMaxListeners(0, stop.signal);
  const recorder = createRecorder({ now, random });

  const deliver = async (claimed: Claimed) => {
    const result = await attempt(claimed, now ?? new Date(), stop.signal);
    await recorder.add({ claimed, result });
  };

  const track = (claimed: Claimed) => {
    const running = deliver(claimed)
      // Only a defect gets here; the lease runs out, and the delivery is tried again.
      .catch((error: unknown) => log().error({ err: error, deliveryId: claimed.id }, 'delivery'))
      .finally(() => {
        underWay.delete(running);
        onRecorded();
      });
    underWay.add(running);
  };

  return {
    async start() {
      const room = webhookLimits.inFlightPerProcess - underWay.size;
      if (room <= 0 || stop.signal.aborted) return { started: 0, room: 0 };
      const ids = { token: randomUUID(), start: randomUUID() };
      const claimed = await claimDue({ limit: room, now, ...ids });
      for (const one of claimed) track(one);
      return { started: claimed.length, room };
    },
    underWay: () => underWay.size,
    abort: () => stop.abort(),
    async settled() {
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}
