/** Whose turn it is at the backend; everyone else waits in order of arrival. */
export class Turns {
  #holder: object | undefined;
  #waiting: { who: object; start: (granted: boolean) => void }[] = [];

  /** Resolves to true when it is `who`'s turn, to false if `who` gave up waiting. */
  take(who: object): Promise<boolean> {
    if (this.#holder === undefined || this.#holder === who) {
      this.#holder = who;
      return Promise.resolve(true);
    }
    return new Promise((start) => this.#waiting.push({ who, start }));
  }

  isHeldBy(who: object): boolean {
    return this.#holder === who;
  }

  release(who: object): void {
    if (this.#holder !== who) {
      return;
    }
    const next = this.#waiting.shift();
    this.#holder = next?.who;
    next?.start(true);
  }

  giveUpWaiting(who: object): void {
    const mine = this.#waiting.filter((entry) => entry.who === who);
    this.#waiting = this.#waiting.filter((entry) => entry.who !== who);
    for (const entry of mine) {
      entry.start(false);
    }
  }
}
