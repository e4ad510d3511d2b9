import { singleton } from '../singleton';

/** Does what is due. The promise lasts for as long as the process must stay for it. */
export type Worker = () => void | Promise<void>;

type Listener = (accountId: string) => void;

type State = { worker: Worker | undefined; listener: Listener | undefined };

function state(): State {
  return singleton<State>('due', () => ({ worker: undefined, listener: undefined }));
}

/** Says who in this process does what is due, instead of whoever did; undefined: nobody. */
export function setWorker(worker: Worker | undefined): void {
  state().worker = worker;
}

export function hasWorker(): boolean {
  return state().worker !== undefined;
}

/** Who in this process wants to know which accounts have new events. */
export function setListener(listener: Listener): void {
  state().listener = listener;
}

/**
 * Says that a write has left something to be done: deliveries, files to remove; and, where it was
 * one of the account's, that there may be new events. Who does it is not this room's to know. Where
 * nobody does, it waits for another process.
 */
export async function announceDue(accountId?: string): Promise<void> {
  if (accountId !== undefined) state().listener?.(accountId);
  await state().worker?.();
}
