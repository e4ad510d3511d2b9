import { createRemover } from '../storage/remover';
import { webhookLimits } from './limits';
import { trimLog } from './log-trimming';
import { returnExpiredLeases } from './record';
import { createSender } from './sender';
import { createWake } from './wake';

/** How long a drain waits at most before it looks for more while attempts are under way. */
const lookAgainMs = 1000;

export type Drain = {
  /** Looks for more at once, if it still may. Returns whether it does. */
  wake(): boolean;
  /** Resolves to the number of attempts, once nothing is due or time is up. */
  finished: Promise<number>;
};

/**
 * Sends what is due until nothing is, for a process that does not stay, and removes uploaded files
 * that are due. It is over by `deadlineAt`
 * (milliseconds of `Date.now()`): the last attempt begins early enough to time out before.
 * `now` stands for the time in everything that is stored or sent.
 */
export function startDrain(options: {
  deadlineAt: number;
  now?: Date;
  random?: () => number;
}): Drain {
  const { deadlineAt, now, random } = options;
  const lastStartAt = deadlineAt - webhookLimits.attemptTimeoutMs - recordingMs;
  const signal = createWake();
  const sender = createSender({ now, random, onRecorded: signal.wake });
  const remover = createRemover({ deadlineAt, now });
  let isOver = false;
  let attempts = 0;

  const run = async () => {
    await returnExpiredLeases(now);
    while (Date.now() < lastStartAt) {
      remover.look();
      // What is recorded while we look may have made room that we do not see.
      const wasIdle = sender.underWay() === 0;
      const { started, room } = await sender.start();
      attempts += started;
      if (started === 0 && wasIdle) break;
      if (started < room || room === 0) await signal.sleep(lookAgainMs);
    }
  };
  const finished = run()
    .finally(() => {
      isOver = true;
      return Promise.all([sender.settled(), remover.settled()]);
    })
    .then(() => attempts);

  return {
    wake() {
      if (!isOver) signal.wake();
      return !isOver;
    },
    finished,
  };
}

/** Time to write the last outcomes down. */
const recordingMs = 2000;

/** One drain from begin to end, and the log trimmed. Returns the number of attempts. */
export async function drain(options: {
  deadlineAt: number;
  now?: Date;
  random?: () => number;
}): Promise<number> {
  const attempts = await startDrain(options).finished;
  await trimLog(options);
  return attempts;
}
