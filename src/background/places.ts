type Places = {
  free(): number;
  taken(): number;
  /** Runs a task, which may not throw, in a place. */
  take(task: () => Promise<void>): void;
  /** Resolves once every place is free. */
  settled(): Promise<void>;
};

/** As many tasks side by side as there are places; `onFreed` is called whenever one is done. */
export function createPlaces(count: number, onFreed: () => void): Places {
  const underWay = new Set<Promise<void>>();
  return {
    free: () => count - underWay.size,
    taken: () => underWay.size,
    take(task) {
      const running = task().finally(() => {
        underWay.delete(running);
        onFreed();
      });
      underWay.add(running);
    },
    async settled() {
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}
