import { ApiError } from '../../api/errors';
import { addressSite, clientAddress } from '../../api/forwarded';
import { withSignal } from '../../background/with-signal';
import { createFairPlaces } from '../../fair-places';
import { singleton } from '../../singleton';
import { giveBack, type Try } from './throttle';

/**
 * Passwords that are hashed or compared at once in a process. Each takes a thread of the four that Node
 * has for this, for files and for looking up names, and 32 MiB: one is left free, whoever comes.
 */
const atOnce = { strangers: 2, known: 1 };

/** Of one client; it takes about as long as one waits. */
export const waitingOfClient = 100;

/** How long one waits for its turn. A tenth of a second is what each takes on a quiet core. */
const waitMs = 10_000;

const retryAfterSeconds = 5;

type Who = {
  request: Request;
  /**
   * Somebody with a session, or who has signed in to the account from there before. They have a place
   * apart: whoever has many networks can have strangers wait, and not them.
   */
  isKnown: boolean;
  /** What was counted for it, which is given back to who waits for a turn and gets none. */
  tried: Try;
};

/**
 * Does what hashes or compares a password, when it is the turn of who asks: clients take turns, however
 * much one of them sends. An address of IPv6 is its /48, as for all that is shared out.
 * @throws ApiError OVERLOADED where too many wait, or it took too long, or the client has left
 */
export async function inHashingTurn<T>(
  { request, isKnown, tried }: Who,
  task: () => Promise<T>,
): Promise<T> {
  const countedAt = performance.now();
  const of = isKnown ? 'known' : 'strangers';
  const places = singleton(`hashing-turns-${of}`, () =>
    createFairPlaces({ total: atOnce[of], waitingPerKey: waitingOfClient }),
  );
  const client = addressSite(clientAddress(request.headers));
  const waiting = { stop: request.signal, timeoutMs: waitMs };
  const leave = await withSignal(waiting, (signal) => places.enter(client, signal)).catch(
    () => undefined,
  );
  if (!leave) {
    // Else whoever leaves in time could have any number wait.
    const hasLeft = request.signal.aborted;
    if (!hasLeft) await giveBack(tried, { countedMsAgo: performance.now() - countedAt });
    throw new ApiError('OVERLOADED', { retryAfterSeconds });
  }
  try {
    return await task();
  } finally {
    leave();
  }
}
