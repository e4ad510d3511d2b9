import { singleton } from '../singleton';

/** Does what is due. The promise lasts for as long as the process must stay for it. */
type Worker = () => void | Promise<void>;

type Listener = (accountId: string) => void;

type State = { worker?: Worker | undefined; listener?: Listener; relay?: Listener };

function state(): State {
  return singleton<State>('due', () => ({}));
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

/** Who tells the processes beside this one. */
export function setRelay(relay: Listener): void {
  state().relay = relay;
}

/** Another process has written for the account. It does itself what is due; here somebody may wait. */
export function hearDue(accountId: string): void {
  state().listener?.(accountId);
}

/**
 * Says that a write has left something to be done: deliveries, files to remove; and, where it was
 * one of the account's, that there may be new events. Who does it is not this room's to know. Where
 * nobody does, it waits for another process.
 */
export async function announceDue(accountId?: string): Promise<void> {
  if (accountId !== undefined) {
    const { listener, relay } = state();
    listener?.(accountId);
    relay?.(accountId);
  }
  await state().worker?.();
}
