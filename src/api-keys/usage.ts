import { ApiError } from '../api/errors';
import { wireInstantOf } from '../api/fields';
import { type Plan, Prisma } from '../database/generated/client';
import { readRows } from '../database/read-rows';
import { wireInstants } from '../database/sql/instants';
import type { Mode } from '../mode';
import { readRateLimit } from '../rate-limit/counter';
import { apiRequestLimit } from '../rate-limit/limits';
import type { ApiUsage, Self } from './schema';

/** The account's requests in the current window, by all keys together. Contract, section 8. */
export async function getUsage(accountId: string, mode: Mode): Promise<ApiUsage> {
  const state = await readRateLimit(accountId, mode);
  if (!state) return { limit: apiRequestLimit(mode).requests, used: 0, reset_at: null };
  const { limit, remaining, resetAt } = state;
  return { limit, used: limit - remaining, reset_at: new Date(resetAt) };
}

/**
 * What the holder of a key may know of it and of its account; counts no request.
 * @throws ApiError INVALID_API_KEY where the key was deleted meanwhile
 */
export async function describeKey(accountId: string, keyId: string, mode: Mode): Promise<Self> {
  const [[row], state] = await Promise.all([
    readRows<Self['key'] & { plan: Plan }>(Prisma.sql`
      SELECT u.plan, k.name, k.hint, k.scopes,
        ${wireInstants('k', 'expires_at')}
      FROM api_keys k JOIN users u ON u.id = k.user_id
      WHERE k.id = ${keyId}::uuid AND k.user_id = ${accountId}::uuid`),
    readRateLimit(accountId, mode),
  ]);
  if (!row) throw new ApiError('INVALID_API_KEY');
  const { plan, ...key } = row;
  const { requests } = apiRequestLimit(mode);
  const { limit, remaining } = state ?? { limit: requests, remaining: requests };
  const reset_at = state && wireInstantOf(new Date(state.resetAt));
  const rate_limit = { limit, remaining, reset_at };
  return { account_id: accountId, ...(mode === 'test' && { mode }), plan, key, rate_limit };
}
