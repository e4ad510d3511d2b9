import type { Worker } from 'node:cluster';
import { wholeTurn } from '../../http/stop-listening';
import { type FromWorker, tellWorker } from './messages';

/**
 * Who is told to leave by one worker comes back at once, and would come to another that stops too. So
 * of workers that stop together all stop listening first.
 */
export function createFarewell(workers: () => Worker[]): {
  hear(from: Worker, message: FromWorker): void;
  /** From here on all of them stop. */
  begin(): void;
  /** One has ended, of which nothing more is waited for. */
  check(): void;
} {
  const quiet = new WeakSet<Worker>();
  let areAllStopping = false;

  const check = () => {
    const all = workers();
    if (!areAllStopping || !all.every((worker) => quiet.has(worker))) return;
    for (const worker of all) tellWorker(worker, { kind: 'none-listens' });
  };

  return {
    hear(from, { kind }) {
      if (kind === 'turn-wanted') {
        // What waited at the port is handed to a worker before it hears this.
        void wholeTurn().then(() => tellWorker(from, { kind: 'turn-over' }));
      } else if (kind === 'not-listening') {
        quiet.add(from);
        if (areAllStopping) check();
        // The others listen, for whoever comes back.
        else tellWorker(from, { kind: 'none-listens' });
      }
    },
    begin() {
      areAllStopping = true;
    },
    check,
  };
}
