/** Gives the place back. To be called once. */
type Leave = () => void;

export type FairPlaces = {
  /**
   * Resolves when there is a place for the key, to what gives it back; to undefined at once where as
   * many wait for the key already as may.
   * @throws the signal's reason when it is aborted before
   */
  enter(key: string, signal: AbortSignal): Promise<Leave | undefined>;
};

/**
 * A number of places for work of which too much at once would do harm, shared by keys (accounts)
 * so that none can keep the others out. A place that becomes free goes to the key that holds the
 * fewest, and among those to the one whose last turn is longest ago; within a key to whoever came
 * first.
 *
 * With `sparing`, a key that holds places gets another only while at least as many as it holds stay
 * free: of 8 places one key alone gets 4, and two together leave 2 to others. With `perKey`, it gets
 * no more than these; without `total`, keys wait for themselves alone.
 */
export function createFairPlaces(options: {
  total?: number;
  perKey?: number;
  waitingPerKey: number;
  sparing?: boolean;
}): FairPlaces {
  const { waitingPerKey, sparing = false } = options;
  const { total = Number.POSITIVE_INFINITY, perKey = total } = options;
  const held = new Map<string, number>();
  /** Those who wait, by key; the keys in the order of their last turns. */
  const waiting = new Map<string, Set<() => void>>();
  let free = total;

  const heldBy = (key: string) => held.get(key) ?? 0;
  const mayEnter = (key: string) => heldBy(key) < perKey && free > (sparing ? heldBy(key) : 0);

  const nextKey = (): string | undefined => {
    let next: string | undefined;
    for (const key of waiting.keys()) {
      if (mayEnter(key) && (next === undefined || heldBy(key) < heldBy(next))) next = key;
    }
    return next;
  };

  const take = (key: string) => {
    free -= 1;
    held.set(key, heldBy(key) + 1);
  };

  const admitWaiting = () => {
    for (let key = nextKey(); key !== undefined; key = nextKey()) {
      const queue = waiting.get(key);
      const [first] = queue ?? [];
      if (!queue || !first) return;
      queue.delete(first);
      // Behind the others, for the next turn.
      waiting.delete(key);
      if (queue.size > 0) waiting.set(key, queue);
      take(key);
      first();
    }
  };

  const leave = (key: string) => {
    free += 1;
    if (heldBy(key) === 1) held.delete(key);
    else held.set(key, heldBy(key) - 1);
    admitWaiting();
  };

  const wait = (key: string, signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const queue = waiting.get(key) ?? new Set();
      waiting.set(key, queue);
      const begin = () => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = () => {
        queue.delete(begin);
        if (queue.size === 0) waiting.delete(key);
        reject(signal.reason);
      };
      queue.add(begin);
      signal.addEventListener('abort', giveUp, { once: true });
    });

  return {
    async enter(key, signal) {
      signal.throwIfAborted();
      const waitingOfKey = waiting.get(key)?.size ?? 0;
      // Whoever waits is kept out by the same rule, or by others of its own key.
      if (waitingOfKey === 0 && mayEnter(key)) take(key);
      else if (waitingOfKey >= waitingPerKey) return undefined;
      else await wait(key, signal);
      return () => leave(key);
    },
  };
}
