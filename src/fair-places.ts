/** Gives the place back. To be called once. */
type Leave = () => void;

/** One that waits. */
type Visit = { weight: number; begin: () => void };

export type FairPlaces = {
  /**
   * Resolves when there is a place for the key, to what gives it back; to undefined at once where as
   * many wait for the key already as may. `weight` is how many places it takes; what takes more than
   * there are gets all of them.
   * @throws the signal's reason when it is aborted before
   */
  enter(key: string, signal: AbortSignal, weight?: number): Promise<Leave | undefined>;
};

/**
 * A number of places for work of which too much at once would do harm, shared by keys (accounts)
 * so that none can keep the others out. A place that becomes free goes to the key that holds the
 * fewest, and among those to the one whose last turn is longest ago; within a key to whoever came
 * first.
 *
 * With `sparing`, a key that holds places gets another only while at least as many as it holds stay
 * free: of 8 places one key alone gets 4, and two together leave 2 to others. With `perKey`, it has
 * no more visits at once than these; without `total`, keys wait for themselves alone.
 *
 * Whoever is next and takes many places waits for them, and nobody overtakes: else those who take few
 * could keep it out for ever.
 *
 * With `restMs`, places that are given back stay taken for as long as it says, by the key and by how
 * long they had been used for.
 */
export function createFairPlaces(options: {
  total?: number;
  perKey?: number;
  waitingPerKey: number;
  sparing?: boolean;
  restMs?: (key: string, usedMs: number) => number;
}): FairPlaces {
  const { waitingPerKey, sparing = false, restMs } = options;
  const { total = Number.POSITIVE_INFINITY, perKey = total } = options;
  /** Visits under way, by key. */
  const held = new Map<string, number>();
  /** Those who wait, by key; the keys in the order of their last turns. */
  const waiting = new Map<string, Set<Visit>>();
  let free = total;

  const heldBy = (key: string) => held.get(key) ?? 0;
  const mayEnter = (key: string) => heldBy(key) < perKey && free > (sparing ? heldBy(key) : 0);

  const hasRoomFor = (weight: number) => free >= Math.min(weight, total);

  const nextKey = (): string | undefined => {
    let next: string | undefined;
    for (const key of waiting.keys()) {
      if (mayEnter(key) && (next === undefined || heldBy(key) < heldBy(next))) next = key;
    }
    return next;
  };

  const take = (key: string, weight: number) => {
    free -= Math.min(weight, total);
    held.set(key, heldBy(key) + 1);
  };

  const admitWaiting = () => {
    for (let key = nextKey(); key !== undefined; key = nextKey()) {
      const queue = waiting.get(key);
      const [first] = queue ?? [];
      if (!queue || !first || !hasRoomFor(first.weight)) return;
      queue.delete(first);
      // Behind the others, for the next turn.
      waiting.delete(key);
      if (queue.size > 0) waiting.set(key, queue);
      take(key, first.weight);
      first.begin();
    }
  };

  const leave = (key: string, weight: number) => {
    free += Math.min(weight, total);
    if (heldBy(key) === 1) held.delete(key);
    else held.set(key, heldBy(key) - 1);
    admitWaiting();
  };

  const rest = (key: string, weight: number, begunAt: number) => {
    const ms = restMs?.(key, performance.now() - begunAt) ?? 0;
    // Whoever waits for it keeps the process running.
    if (ms > 0) setTimeout(leave, ms, key, weight).unref();
    else leave(key, weight);
  };

  const wait = (key: string, signal: AbortSignal, weight: number) =>
    new Promise<void>((resolve, reject) => {
      const queue = waiting.get(key) ?? new Set();
      waiting.set(key, queue);
      const begin = () => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      const visit = { weight, begin };
      const giveUp = () => {
        queue.delete(visit);
        if (queue.size === 0) waiting.delete(key);
        reject(signal.reason);
        // Others may have waited for it to have its turn.
        admitWaiting();
      };
      queue.add(visit);
      signal.addEventListener('abort', giveUp, { once: true });
    });

  return {
    async enter(key, signal, weight = 1) {
      signal.throwIfAborted();
      const waitingOfKey = waiting.get(key)?.size ?? 0;
      // Whoever waits is kept out by the same rule, or by others of its own key, or is next.
      const isNext = waitingOfKey === 0 && mayEnter(key) && nextKey() === undefined;
      if (isNext && hasRoomFor(weight)) take(key, weight);
      else if (waitingOfKey >= waitingPerKey) return undefined;
      else await wait(key, signal, weight);
      const begunAt = performance.now();
      return () => rest(key, weight, begunAt);
    },
  };
}

type Waiting = { waitMs: number; refused: () => Error; weight?: number };

/**
 * Waits for a place for the key, for `waitMs` at most, and resolves to what gives it back.
 * @throws what `refused` makes where none comes free in that time, or as many wait as may
 */
export async function enterPlace(
  places: FairPlaces,
  key: string,
  { waitMs, refused, weight }: Waiting,
): Promise<Leave> {
  const signal = AbortSignal.timeout(waitMs);
  const leave = await places.enter(key, signal, weight).catch(() => undefined);
  if (!leave) throw refused();
  return leave;
}

/** Runs a task in a place as `enterPlace` waits for it. @throws as that does */
export async function runInPlace<T>(
  places: FairPlaces,
  key: string,
  waiting: Waiting,
  task: () => Promise<T>,
): Promise<T> {
  const leave = await enterPlace(places, key, waiting);
  try {
    return await task();
  } finally {
    leave();
  }
}
