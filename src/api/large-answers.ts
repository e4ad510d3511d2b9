import { LargeReadError, readingLarge } from '../database/connections/large-reads';
import { createFairPlaces, runInPlace } from '../fair-places';
import { singleton } from '../singleton';
import { tooManyWaiting } from './errors';
import { restMsAfter } from './recent-accounts';

const mebi = 1024 ** 2;

/** Of answers that are read and written in JSON at a time in a process, in characters of rows. */
const limits = {
  total: 16 * mebi,
  /** One after the other. */
  perKey: 1,
  waitingPerKey: 150,
  restMs: restMsAfter,
};

const waitMs = 60_000;

const places = () => singleton('large-answers', () => createFairPlaces(limits));

/**
 * Runs a procedure, and whatever else holds its rows. Where its read ends with a `LargeReadError`, before
 * anything is written, all of it is run once more as soon as there is room for so many characters: large
 * ones of an account one after the other, in half of the time at most where others ask meanwhile.
 * @throws ApiError RATE_LIMIT_EXCEEDED where too many of the account wait, or it waits too long
 */
export async function rerunIfLarge<Output>(
  accountId: string,
  run: (answer: { isLarge: boolean }) => Promise<Output>,
): Promise<Output> {
  let characters: number;
  try {
    return await run({ isLarge: false });
  } catch (error) {
    ({ characters } = largeReadOf(error));
  }
  const refused = () => tooManyWaiting(limits.waitingPerKey);
  return runInPlace(places(), accountId, { waitMs, refused, weight: characters }, () =>
    readingLarge(() => run({ isLarge: true })),
  );
}

/** @throws the error, where it is another */
function largeReadOf(error: unknown): LargeReadError {
  const cause = error instanceof Error ? error.cause : undefined;
  const found = [error, cause].find((one) => one instanceof LargeReadError);
  if (found instanceof LargeReadError) return found;
  throw error;
}
