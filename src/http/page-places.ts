import { createFairPlaces } from '../fair-places';

/** Pages drawn at once. One client gets half of them; it takes a core a few dozen milliseconds each. */
const pagesAtOnce = 8;

/** What takes longer waits for something, or for its client, and takes nobody's time meanwhile. */
const longestMs = 2_000;

/**
 * Lets few pages be drawn at once, and clients have their turns: whoever asks for hundreds over as many
 * connections waits for its own, and does not keep the process from all others.
 */
export function createPagePlaces() {
  // As many wait as there are connections.
  const waitingPerKey = Number.POSITIVE_INFINITY;
  const places = createFairPlaces({ total: pagesAtOnce, waitingPerKey, sparing: true });
  return {
    /**
     * Has a page drawn once there is a place for the client, and not at all where it has left before.
     * `whenGone` calls its listener then.
     */
    async draw(
      client: string,
      whenGone: (listener: () => void) => void,
      page: () => Promise<void>,
    ): Promise<void> {
      const gone = new AbortController();
      whenGone(() => gone.abort());
      const leave = await places.enter(client, gone.signal).catch(() => undefined);
      if (!leave) return;
      let hasPlace = true;
      const giveBack = () => {
        if (hasPlace) leave();
        hasPlace = false;
      };
      const timer = setTimeout(giveBack, longestMs);
      try {
        await page();
      } finally {
        clearTimeout(timer);
        giveBack();
      }
    },
  };
}
