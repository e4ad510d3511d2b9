import { env } from '../env';

/** Contract, section 8: requests per account, shared by all of its keys. */
export function apiRequestLimit(): { requests: number; windowSeconds: number } {
  return { requests: env().RATE_LIMIT_REQUESTS, windowSeconds: 60 * 60 };
}
