import { database } from '../database/client';
import { env } from '../env';
import { ApiError } from './errors';
import type { Principal } from './principal';

/**
 * Refuses what adds bytes to an account that has no room for as many. Costs no statement where the
 * key's lookup has told. What is under way at the same time is let through: the quota is a bound,
 * not a budget.
 * @throws ApiError QUOTA_EXCEEDED
 */
export async function requireRoom(
  { accountId, storedBytes: known }: Pick<Principal, 'accountId' | 'storedBytes'>,
  addedBytes = 1,
): Promise<void> {
  const used = known ?? (await readStoredBytes(accountId));
  if (used + addedBytes > env().ACCOUNT_QUOTA_BYTES) throw new ApiError('QUOTA_EXCEEDED');
}

async function readStoredBytes(accountId: string): Promise<number> {
  const { storedBytes } = await database().user.findUniqueOrThrow({
    where: { id: accountId },
    select: { storedBytes: true },
  });
  return Number(storedBytes);
}
