import { singleton } from '../singleton';

/** Does what is due. The promise lasts for as long as the process must stay for it. */
export type Worker = () => void | Promise<void>;

function state(): { worker: Worker | undefined } {
  return singleton('due', () => ({ worker: undefined }));
}

/** Says who in this process does what is due, instead of whoever did; undefined: nobody. */
export function setWorker(worker: Worker | undefined): void {
  state().worker = worker;
}

export function hasWorker(): boolean {
  return state().worker !== undefined;
}

/**
 * Says that a write has left something to be done: deliveries, files to remove. Who does it is not
 * this room's to know. Where nobody does, it waits for another process.
 */
export async function announceDue(): Promise<void> {
  await state().worker?.();
}
