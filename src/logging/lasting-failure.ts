import { singleton } from '../singleton';

/** How often one that goes on is told again, unless asked otherwise. */
const minuteMs = 60_000;

export type LastingFailure = {
  /**
   * Counts one more. Returns how many there were since one was told, where this is to be told: the
   * first, and then one in each `repeatMs`, a minute.
   */
  add(): number | undefined;
  /** Something succeeded. Returns whether that ends a failure. */
  end(): boolean;
};

/** Which failures are told of something that is tried again for as long as it fails. */
export function createLastingFailure({
  now = () => performance.now(),
  repeatMs = minuteMs,
} = {}): LastingFailure {
  let toldAt: number | undefined;
  let untold = 0;
  return {
    add() {
      untold += 1;
      if (toldAt !== undefined && now() - toldAt < repeatMs) return undefined;
      toldAt = now();
      const times = untold;
      untold = 0;
      return times;
    },
    end() {
      const hasFailed = toldAt !== undefined;
      toldAt = undefined;
      untold = 0;
      return hasFailed;
    },
  };
}

/** Tells of a kind of failure that many things have at once: once a minute, and how many there were. */
export function tellOnceAMinute(kind: string, tell: (times: number) => void): void {
  tellOnceIn(minuteMs, kind, tell);
}

/** The same once a second, of what one looks for by its time. */
export function tellOnceASecond(kind: string, tell: (times: number) => void): void {
  tellOnceIn(1_000, kind, tell);
}

function tellOnceIn(repeatMs: number, kind: string, tell: (times: number) => void): void {
  const times = singleton(kind, () => createLastingFailure({ repeatMs })).add();
  if (times !== undefined) tell(times);
}
