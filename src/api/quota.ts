import { database } from '../database/client';
import { env } from '../env';
import { boundIn, type Mode } from '../mode';
import { ApiError } from './errors';
import { modeOf, type Principal } from './principal';

/** How many bytes an account may store; its test data has a bound of its own. */
export function quotaBytes(mode: Mode): number {
  return boundIn(mode, env().ACCOUNT_QUOTA_BYTES);
}

/**
 * Refuses what adds bytes to an account that has no room for as many. Costs no statement where the
 * key's lookup has told. What is under way at the same time is let through: the quota is a bound,
 * not a budget.
 * @throws ApiError QUOTA_EXCEEDED
 */
export async function requireRoom(
  principal: Pick<Principal, 'accountId' | 'liveAccountId' | 'storedBytes'>,
  addedBytes = 1,
): Promise<void> {
  const { used, mode } =
    principal.storedBytes === undefined
      ? await readUse(principal.accountId)
      : { used: principal.storedBytes, mode: modeOf(principal) };
  if (used + addedBytes > quotaBytes(mode)) throw new ApiError('QUOTA_EXCEEDED');
}

async function readUse(accountId: string): Promise<{ used: number; mode: Mode }> {
  const { storedBytes, liveUserId } = await database().user.findUniqueOrThrow({
    where: { id: accountId },
    select: { storedBytes: true, liveUserId: true },
  });
  return { used: Number(storedBytes), mode: liveUserId === null ? 'live' : 'test' };
}
