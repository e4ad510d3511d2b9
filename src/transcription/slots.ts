type Waiting = { key: string; enter: () => void };

/**
 * A number of places for work that may not be done by too many at once, and fewer of them for one
 * key, so that one account cannot keep all of them busy.
 */
export class Slots {
  private readonly taken = new Map<string, number>();
  private takenTotal = 0;
  private waiting: Waiting[] = [];

  constructor(
    private readonly total: number,
    private readonly perKey: number,
  ) {}

  /**
   * Runs the task as soon as there is a place for it.
   * @throws the signal's reason when it is aborted before; what the task throws
   */
  async run<T>(key: string, signal: AbortSignal, task: () => Promise<T>): Promise<T> {
    await this.enter(key, signal);
    try {
      return await task();
    } finally {
      this.leave(key);
    }
  }

  private enter(key: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        this.waiting = this.waiting.filter((other) => other !== waiting);
        reject(signal.reason);
      };
      const waiting: Waiting = {
        key,
        enter: () => {
          signal.removeEventListener('abort', onAbort);
          resolve();
        },
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.waiting.push(waiting);
      this.admit();
    });
  }

  private leave(key: string): void {
    this.takenTotal -= 1;
    const left = this.takenBy(key) - 1;
    if (left === 0) this.taken.delete(key);
    else this.taken.set(key, left);
    this.admit();
  }

  /** Lets in, in the order of arrival, all whom there is a place for. */
  private admit(): void {
    for (const waiting of [...this.waiting]) {
      if (this.takenTotal >= this.total) return;
      const { key } = waiting;
      if (this.takenBy(key) >= this.perKey) continue;
      this.takenTotal += 1;
      this.taken.set(key, this.takenBy(key) + 1);
      this.waiting = this.waiting.filter((other) => other !== waiting);
      waiting.enter();
    }
  }

  private takenBy(key: string): number {
    return this.taken.get(key) ?? 0;
  }
}
