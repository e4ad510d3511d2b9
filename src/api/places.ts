/** Runs work of one key, at most so many pieces at a time; the others wait in order of arrival. */
export function createPlaces(perKey: number) {
  const keys = new Map<string, { taken: number; waiting: (() => void)[] }>();
  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const places = keys.get(key) ?? { taken: 0, waiting: [] };
    keys.set(key, places);
    if (places.taken >= perKey) await new Promise<void>((enter) => places.waiting.push(enter));
    else places.taken += 1;
    try {
      return await work();
    } finally {
      // Handed on, or given back.
      const enter = places.waiting.shift();
      if (enter) enter();
      else places.taken -= 1;
      if (places.taken === 0) keys.delete(key);
    }
  };
}
