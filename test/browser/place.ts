import { z } from 'zod';

const placeSchema = z.object({
  /** What Playwright connects to. */
  browser: z.string(),
  service: z.object({ url: z.string(), folder: z.string(), database: z.string() }),
});

/** Where the files of one worker run, one after the other: a clipboard and accounts that no other worker meets. */
export type Place = z.infer<typeof placeSchema>;

/** Lets the workers of this run find their places, by their order. */
export function setPlaces(places: Place[]): void {
  process.env.BROWSER_TEST_PLACES = JSON.stringify(places);
}

export function placeOfWorker(): Place {
  const places = z.array(placeSchema).parse(JSON.parse(process.env.BROWSER_TEST_PLACES ?? ''));
  // Jest counts workers from 1.
  const place = places[Number(process.env.JEST_WORKER_ID) - 1];
  if (!place) throw new Error(`No place for worker ${process.env.JEST_WORKER_ID}`);
  return place;
}
