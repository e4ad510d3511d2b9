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

export type Watchdog = {
  /** From now on, nothing may take longer. */
  limit(ms: number): void;
  stop(): void;
};

/** The other side: calls `onStuck` once, with the milliseconds that the work has taken so far. */
export function watchWork(
  clock: WorkClock,
  options: { limitMs: number; onStuck: (ms: number) => void },
): Watchdog {
  let { limitMs } = options;
  const timer = setInterval(() => {
    const beganAt = Atomics.load(clock, 0);
    const takenMs = beganAt === 0n ? 0 : Number((process.hrtime.bigint() - beganAt) / 1_000_000n);
    if (takenMs <= limitMs) return;
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
