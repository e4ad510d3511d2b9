/** Whose turn it is at the backend; everyone else waits in order of arrival. */
export type Turns = {
  /** Resolves to true when it is `who`'s turn, to false if `who` gave up waiting. */
  take(who: object): Promise<boolean>;
  isHeldBy(who: object): boolean;
  /** Gives the turn to the next in line; nothing where `who` does not hold it. */
  release(who: object): void;
  giveUpWaiting(who: object): void;
};

export function createTurns(): Turns {
  let holder: object | undefined;
  let waiting: { who: object; start: (granted: boolean) => void }[] = [];
  return {
    take: (who) => {
      if (holder === undefined || holder === who) {
        holder = who;
        return Promise.resolve(true);
      }
      return new Promise((start) => waiting.push({ who, start }));
    },
    isHeldBy: (who) => holder === who,
    release: (who) => {
      if (holder !== who) return;
      const next = waiting.shift();
      holder = next?.who;
      next?.start(true);
    },
    giveUpWaiting: (who) => {
      const mine = waiting.filter((entry) => entry.who === who);
      waiting = waiting.filter((entry) => entry.who !== who);
      for (const entry of mine) entry.start(false);
    },
  };
}
