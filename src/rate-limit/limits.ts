import { env } from '../env';
import { boundIn, type Mode } from '../mode';

/** So many in a window, which begins with the first of them. */
export type Limit = { requests: number; windowSeconds: number };

/** What the document promises of the number in answers. */
const mostRequests = 2 ** 31 - 1;

/**
 * Contract, section 8: requests per account, shared by all of its keys. What test mode asks has a window
 * of its own and takes nothing of it.
 */
export function apiRequestLimit(mode: Mode = 'live'): Limit {
  const requests = Math.min(env().RATE_LIMIT_REQUESTS, mostRequests);
  return { requests: boundIn(mode, requests), windowSeconds: 60 * 60 };
}

/**
 * Procedures that the dashboard may call, in a bucket apart from the API's. Far more than people
 * need whose pages look for news every few seconds.
 */
export const dashboardLimits = {
  session: { requests: 1200, windowSeconds: 60 },
  account: { requests: 2400, windowSeconds: 60 },
} as const satisfies Record<string, Limit>;
