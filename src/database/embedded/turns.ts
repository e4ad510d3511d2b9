/** Whose turn it is at the backend; everyone else waits. */
export type Turns = {
  /**
   * Resolves to true when it is `who`'s turn, to false if `who` gave up waiting. In order of arrival,
   * but that long turns leave the others as much time as they have taken, where any wait.
   */
  take(who: object, options?: { isLong?: boolean }): Promise<boolean>;
  isHeldBy(who: object): boolean;
  /** Gives the turn to the next in line; nothing where `who` does not hold it. */
  release(who: object): void;
  giveUpWaiting(who: object): void;
};

type Waiting = { who: object; isLong: boolean; start: (granted: boolean) => void };

/** `now` tells milliseconds. */
export function createTurns(now: () => number): Turns {
  let holder: { who: object; isLong: boolean; since: number } | undefined;
  let waiting: Waiting[] = [];
  /** How many milliseconds are the others' before the next long turn. */
  let owed = 0;

  function next(): Waiting | undefined {
    const other = owed > 0 ? waiting.findIndex(({ isLong }) => !isLong) : -1;
    return waiting.splice(Math.max(other, 0), 1)[0];
  }

  return {
    take: (who, { isLong = false } = {}) => {
      if (holder === undefined || holder.who === who) {
        // What a turn of several statements is, the longest of them says.
        holder = { who, isLong: isLong || holder?.isLong === true, since: holder?.since ?? now() };
        return Promise.resolve(true);
      }
      return new Promise((start) => waiting.push({ who, isLong, start }));
    },
    isHeldBy: (who) => holder?.who === who,
    release: (who) => {
      if (holder?.who !== who) return;
      const taken = now() - holder.since;
      owed = holder.isLong ? taken : Math.max(owed - taken, 0);
      const entry = next();
      holder = entry && { who: entry.who, isLong: entry.isLong, since: now() };
      entry?.start(true);
    },
    giveUpWaiting: (who) => {
      const mine = waiting.filter((entry) => entry.who === who);
      waiting = waiting.filter((entry) => entry.who !== who);
      for (const entry of mine) entry.start(false);
    },
  };
}
