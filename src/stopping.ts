import { singleton } from './singleton';

function state() {
  return singleton('stopping', () => ({ isStopping: false }));
}

/** Whether this process has been told to stop, and sends its clients away. */
export function isStopping(): boolean {
  return state().isStopping;
}

export function setStopping(): void {
  state().isStopping = true;
}
