import { singleton } from '../singleton';
import type { Drain } from './drain';

/** How long a drain may go on after the request that started it. */
const drainMs = 25_000;

type Running = {
  /** Of the loop of a long-lived process. */
  wakeLoop: (() => void) | undefined;
  drain: Drain | undefined;
};

function running(): Running {
  return singleton('delivery', () => ({ wakeLoop: undefined, drain: undefined }));
}

/** Says that this process has a loop, and how it is woken; undefined that it has none. */
export function setDeliveryLoop(wake: (() => void) | undefined): void {
  running().wakeLoop = wake;
}

/**
 * Starts sending what a write has left in the outbox, once its answer is out. A long-lived process
 * wakes its loop; anywhere else the deliveries are sent now, together with whatever else is due,
 * and the promise lasts as long as that takes. Several writes share one drain.
 */
export async function startDelivery(): Promise<void> {
  const state = running();
  if (state.wakeLoop) return state.wakeLoop();
  if (!state.drain?.wake()) {
    // Loaded on first use: requests that only read never pay for it.
    const { startDrain } = await import('./drain');
    if (!state.drain?.wake()) state.drain = startDrain({ deadlineAt: Date.now() + drainMs });
  }
  await state.drain?.finished;
}
