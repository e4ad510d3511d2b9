/**
 * Tells that the database computes without end, as it does where it cannot write its log: its thread
 * then answers nobody, so that only another one can find out. The two share when it began.
 */

/** What both threads see: when the database began what it is at, in nanoseconds; 0 while it rests. */
export type WorkClock = BigInt64Array<SharedArrayBuffer>;

const checkEveryMs = 1_000;

export function createWorkClock(): WorkClock {
  return new BigInt64Array(new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT));
}

/** The database's side: runs one piece of work at a time, on the clock. */
export async function onTheClock<T>(clock: WorkClock, work: () => Promise<T>): Promise<T> {
  Atomics.store(clock, 0, process.hrtime.bigint());
  try {
    return await work();
  } finally {
    Atomics.store(clock, 0, 0n);
  }
}

type Watchdog = {
  /** From now on, nothing may take longer. */
  limit(ms: number): void;
  stop(): void;
};

/** What one look counts at most: between two, this process may have stood still, and the database with it. */
const longestLookMs = 2 * checkEveryMs;

/** After so long it is asked whether work can come to an end, and after so long it is given up if not. */
const doubtMs = 500;
const hopelessMs = 3_000;

/**
 * The other side: calls `onStuck` once, with the milliseconds that the work was seen to take. Where
 * `isHopeless` says of work that takes long already that it can have no end, it has seconds; also where
 * that is no longer so, since work that has failed for good goes on without end.
 */
export function watchWork(
  clock: WorkClock,
  options: { limitMs: number; isHopeless: () => boolean; onStuck: (ms: number) => void },
): Watchdog {
  let { limitMs } = options;
  /** When the work began that was last found hopeless. */
  let hopelessFrom = 0n;
  let beganAt = 0n;
  let seenAt = 0n;
  let takenMs = 0;

  /** Counts what has gone by since the work began, or was looked at last. */
  function look(): void {
    const before = beganAt;
    beganAt = Atomics.load(clock, 0);
    if (beganAt !== before) {
      seenAt = beganAt;
      takenMs = 0;
    }
    if (beganAt === 0n) return;
    const now = process.hrtime.bigint();
    takenMs += Math.min(Number((now - seenAt) / 1_000_000n), longestLookMs);
    seenAt = now;
  }

  const timer = setInterval(() => {
    look();
    if (takenMs > doubtMs && options.isHopeless()) hopelessFrom = beganAt;
    const isHopeless = beganAt !== 0n && beganAt === hopelessFrom;
    if (takenMs <= (isHopeless ? Math.min(hopelessMs, limitMs) : limitMs)) return;
    clearInterval(timer);
    options.onStuck(takenMs);
  }, checkEveryMs);
  timer.unref();
  return {
    limit: (ms) => {
      limitMs = ms;
    },
    stop: () => clearInterval(timer),
  };
}
