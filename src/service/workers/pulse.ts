import type { Worker } from 'node:cluster';
import { log } from '../../logging/log';
import { tellWorker } from './messages';

/** Who works answers within milliseconds, and on a machine that swaps within seconds. */
const patience = 6;

type Pulse = {
  /** From here on the worker is asked. */
  begin(): void;
  /** It has answered. */
  hear(): void;
  end(): void;
};

/**
 * Asks a worker for a sign of life every `everyMs`, and kills one that has left six questions in a row
 * unanswered: its event loop stands still, and so do all who are connected to it. Questions are
 * counted and not time: after the machine has slept, or the primary process itself was kept waiting,
 * there is one more, and nobody is killed for that.
 */
export function watchPulse(
  worker: Worker,
  { number, everyMs }: { number: number; everyMs: number },
): Pulse {
  let unanswered = 0;
  let timer: NodeJS.Timeout | undefined;
  const end = () => clearInterval(timer);
  const ask = () => {
    if (unanswered < patience) {
      unanswered += 1;
      return tellWorker(worker, { kind: 'pulse-wanted' });
    }
    end();
    log().error({ worker: number, silentMs: unanswered * everyMs }, 'worker hangs and is killed');
    worker.process.kill('SIGKILL');
  };
  return {
    begin() {
      timer = setInterval(ask, everyMs);
    },
    hear() {
      unanswered = 0;
    },
    end,
  };
}
