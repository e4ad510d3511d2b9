import { log } from '../log';
import { createRemover } from '../storage/remover';
import { trimLog } from './log-trimming';
import { nextDueInMs } from './queue';
import { returnExpiredLeases } from './record';
import { createSender } from './sender';
import { setDeliveryLoop } from './start-delivery';
import { createWake } from './wake';

/** The longest sleep: other processes write deliveries too, and cannot wake this one. */
const longestSleepMs = 10_000;
/** The same while attempts are under way, which may be long. */
const busySleepMs = 1000;
/** Writes wake the loop so often at most; one on an idle service wakes it at once. */
const wakeSpacingMs = 100;
const afterFailureMs = 1000;
const returnLeasesEveryMs = 15_000;
const trimEveryMs = 60 * 60 * 1000;
const trimMs = 10_000;

export type DeliveryLoop = {
  /**
   * Starts nothing more, and waits for what is being sent; what is not done after `graceMs` goes
   * back to the queue for whoever comes next.
   */
  stop(options: { graceMs: number }): Promise<void>;
};

/**
 * Sends what is due for as long as the process lives: at once after a write of this process, else
 * when the next delivery becomes due. Uploaded files are removed along with it. Several processes may do so side by side.
 */
export function startDeliveryLoop(): DeliveryLoop {
  const signal = createWake();
  const sender = createSender({ onRecorded: signal.wake });
  const remover = createRemover({});
  const returnLeases = every(returnLeasesEveryMs, () => returnExpiredLeases());
  const trim = every(trimEveryMs, () => trimLog({ deadlineAt: Date.now() + trimMs }));
  let trimming = Promise.resolve();
  let isStopping = false;
  let lastStartAt = 0;
  let wakeTimer: NodeJS.Timeout | undefined;

  const turn = async () => {
    await returnLeases();
    lastStartAt = performance.now();
    remover.look();
    const { started, room } = await sender.start();
    if (started > 0 && started === room) return;
    trimming = trimming.then(trim).catch(logFailure);
    if (sender.underWay() > 0) return signal.sleep(busySleepMs);
    const dueInMs = (await nextDueInMs()) ?? longestSleepMs;
    await signal.sleep(Math.min(Math.max(dueInMs, 1), longestSleepMs));
  };
  const run = async () => {
    while (!isStopping) {
      await turn().catch(async (error: unknown) => {
        logFailure(error);
        await signal.sleep(afterFailureMs);
      });
    }
  };
  const running = run();

  setDeliveryLoop(() => {
    const restMs = lastStartAt + wakeSpacingMs - performance.now();
    if (restMs <= 0) signal.wake();
    else wakeTimer ??= setTimeout(wakeLater, restMs);
  });
  const wakeLater = () => {
    wakeTimer = undefined;
    signal.wake();
  };

  return {
    async stop({ graceMs }) {
      isStopping = true;
      // What is written from here on stays queued.
      setDeliveryLoop(() => {});
      clearTimeout(wakeTimer);
      signal.wake();
      const abort = setTimeout(sender.abort, graceMs);
      await running;
      await Promise.all([sender.settled(), trimming, remover.settled()]);
      clearTimeout(abort);
    },
  };
}

function logFailure(error: unknown): void {
  log().error({ err: error }, 'webhook deliveries failed to go on');
}

/** The same task, skipped where it last began less than `ms` ago. */
function every(ms: number, task: () => Promise<unknown>): () => Promise<void> {
  let lastAt = Number.NEGATIVE_INFINITY;
  return async () => {
    if (performance.now() - lastAt < ms) return;
    lastAt = performance.now();
    await task();
  };
}
