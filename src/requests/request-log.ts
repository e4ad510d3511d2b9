import { createLastingFailure } from '../logging/lasting-failure';
import { log } from '../logging/log';
import { singleton } from '../singleton';
import { within } from '../time-limit';
import { createAllowance } from './allowance';
import type { Entry } from './entry';
import { type RequestLogLimits, requestLogLimits } from './limits';
import { createWaitingRows } from './waiting-rows';
import { writeEntries } from './write-entries';

type RequestLog = {
  /** Notes an answered request; nothing is written yet. `isRefusal` as for an `Allowance`. */
  add(entry: Entry, isRefusal: boolean): void;
  /** Writes what was noted before the call, if the database takes it. Never throws. */
  flush(): Promise<void>;
  /** From here on it writes by itself, for a process that lives on after its answers. */
  start(): void;
  /** Whether it writes by itself; else whoever adds has to see to it. */
  isStarted(): boolean;
  /** Writes all that is there, counts included, for as long as a stopping process may wait. */
  stop(): Promise<void>;
};

/** The log of this process. */
export function requestLog(): RequestLog {
  return singleton('request-log', () => createRequestLog(writeEntries, requestLogLimits));
}

/** Keeps entries in memory, bounded and fair, and hands them to `write` in batches. */
export function createRequestLog(
  write: (entries: Entry[]) => Promise<void>,
  limits: RequestLogLimits,
): RequestLog {
  const waiting = createWaitingRows(limits);
  const allowance = createAllowance(limits);
  /** That it is written, but more slowly than requests come. */
  const slowness = createLastingFailure();
  let hasStarted = false;
  let isFailing = false;
  let timer: NodeJS.Timeout | undefined;
  /** What the database was given and has not answered. */
  let unanswered: Entry[] = [];
  /** The write under way, and the one that is to follow it. */
  let running: Promise<void> | undefined;
  let following: Promise<void> | undefined;

  const writeWaiting = async () => {
    for (const row of allowance.takeCounts(Date.now())) waiting.add(row);
    while (waiting.size() > 0) {
      const entries = waiting.take(limits.flushRows);
      unanswered = entries;
      try {
        await write(entries);
      } catch (error) {
        waiting.putBack(entries);
        noteFailure(error);
        return;
      } finally {
        unanswered = [];
      }
      noteSuccess();
    }
  };

  function noteFailure(error: unknown): void {
    if (!isFailing) log().warn({ err: error }, 'the request log cannot be written');
    isFailing = true;
  }

  function noteSuccess(): void {
    if (isFailing) {
      isFailing = false;
      log().info({ dropped: waiting.takeDropped() }, 'the request log is written again');
    } else if (waiting.hasDropped() && slowness.add() !== undefined) {
      const dropped = waiting.takeDropped();
      log().warn({ dropped }, 'the request log is written too slowly, and lacks requests');
    }
  }

  const flush = (): Promise<void> => {
    const begin = () => {
      following = undefined;
      running = writeWaiting().finally(() => {
        running = undefined;
        if (hasStarted) flushLater();
      });
      return running;
    };
    if (!running) return begin();
    following ??= running.then(begin);
    return following;
  };

  function flushLater(): void {
    if (timer || (waiting.size() === 0 && !allowance.hasCounts())) return;
    timer = setTimeout(
      () => {
        timer = undefined;
        void flush();
      },
      isFailing ? limits.retryMs : limits.flushMs,
    ).unref();
  }

  return {
    add(entry, isRefusal) {
      if (allowance.admits(entry, isRefusal, Date.now())) waiting.add(entry);
      if (!hasStarted) return;
      if (waiting.size() >= limits.flushRows && !running && !isFailing) void flush();
      else flushLater();
    },
    flush,
    start() {
      hasStarted = true;
      flushLater();
    },
    isStarted: () => hasStarted,
    async stop() {
      hasStarted = false;
      clearTimeout(timer);
      timer = undefined;
      for (const row of allowance.takeCounts(Date.now(), true)) waiting.add(row);
      const endAt = performance.now() + limits.stopMs;
      const left = () => Math.max(0, endAt - performance.now());
      await within(left(), flush(), () => {});
      while (waiting.size() > 0 && left() > 0) {
        await within(left(), pause(limits.stopRetryMs), () => {});
        await within(left(), flush(), () => {});
      }
      const lost = requestsIn(waiting.take(waiting.size())) + waiting.takeDropped();
      // Written or not: the database has not said.
      const unclear = requestsIn(unanswered);
      if (lost + unclear > 0) {
        log().warn({ lost, unclear }, 'the request log could not be written to its end');
      }
    },
  };
}

function requestsIn(entries: Entry[]): number {
  return entries.reduce((sum, { count }) => sum + count, 0);
}

function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}
