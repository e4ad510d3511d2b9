import { env } from '../env';

/** So many in a window, which begins with the first of them. */
export type Limit = { requests: number; windowSeconds: number };

/** Contract, section 8: requests per account, shared by all of its keys. */
export function apiRequestLimit(): Limit {
  return { requests: env().RATE_LIMIT_REQUESTS, windowSeconds: 60 * 60 };
}

/**
 * Procedures that the dashboard may call, in a bucket apart from the API's. Far more than people
 * need whose pages look for news every few seconds.
 */
export const dashboardLimits = {
  session: { requests: 1200, windowSeconds: 60 },
  account: { requests: 2400, windowSeconds: 60 },
} as const satisfies Record<string, Limit>;
