import { createFairPlaces } from '../fair-places';

/** Of one kind, begun at once. One client gets half; each takes a core for a few dozen milliseconds. */
const atOnce = 8;

/** What takes longer waits for something, or for its client, and takes nobody's time meanwhile. */
const longestMs = 2_000;

/**
 * A call of a page takes some milliseconds of a core, on a crowded machine many times that; for longer
 * it waits for the database, or for its turn.
 */
export const longestCallMs = 500;

/**
 * Lets Next have few requests of a kind at once, and clients have their turns: whoever asks for
 * hundreds over as many connections waits for its own, and does not keep the process from all others.
 * What takes longer than `givenBackAfterMs` goes on without its place.
 */
export function createNextPlaces({ givenBackAfterMs = longestMs } = {}) {
  // As many wait as there are connections.
  const waitingPerKey = Number.POSITIVE_INFINITY;
  const places = createFairPlaces({ total: atOnce, waitingPerKey, sparing: true });
  return {
    /**
     * Has it done once there is a place for the client, and not at all where it has left before.
     * `whenGone` calls its listener then.
     */
    async enter(
      client: string,
      whenGone: (listener: () => void) => void,
      task: () => Promise<void>,
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
      const timer = setTimeout(giveBack, givenBackAfterMs);
      try {
        await task();
      } finally {
        clearTimeout(timer);
        giveBack();
      }
    },
  };
}
