/** Something to wait for that can be called off early. */
type Wake = {
  /** Ends the present sleep, or the next one where nobody sleeps. */
  wake(): void;
  /** Whether the next sleep has been called off already. */
  isWoken(): boolean;
  /** Resolves after `ms`, or when woken. */
  sleep(ms: number): Promise<void>;
};

export function createWake(): Wake {
  let isWoken = false;
  let end: (() => void) | undefined;
  return {
    wake() {
      isWoken = true;
      end?.();
    },
    isWoken: () => isWoken,
    async sleep(ms) {
      if (!isWoken) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          end = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      end = undefined;
      isWoken = false;
    },
  };
}
