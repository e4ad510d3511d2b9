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
 * How far beyond its quota an account may moderate, as a part of that. A change of status adds an event,
 * and so would be refused for up to a month in an account that is full, where one wants to take back
 * what is on a wall; without a bound, changes alone could fill the disk.
 */
const moderationPart = 1 / 10;

/**
 * Refuses what adds bytes to an account that has no room for as many. Costs no statement where the
 * key's lookup has told. What is under way at the same time is let through: the quota is a bound,
 * not a budget.
 * @throws ApiError QUOTA_EXCEEDED; UNAUTHORIZED where the account is closed by now
 */
export async function requireRoom(
  principal: Pick<Principal, 'accountId' | 'liveAccountId' | 'storedBytes'>,
  { addedBytes = 1, isModeration = false } = {},
): Promise<void> {
  const { used, mode } =
    principal.storedBytes === undefined
      ? await readUse(principal.accountId)
      : { used: principal.storedBytes, mode: modeOf(principal) };
  const bound = quotaBytes(mode) * (isModeration ? 1 + moderationPart : 1);
  if (used + addedBytes > bound) throw new ApiError('QUOTA_EXCEEDED');
}

async function readUse(accountId: string): Promise<{ used: number; mode: Mode }> {
  const account = await database().user.findUnique({
    where: { id: accountId, closedAt: null },
    select: { storedBytes: true, liveUserId: true },
  });
  if (!account) throw new ApiError('UNAUTHORIZED');
  const { storedBytes, liveUserId } = account;
  return { used: Number(storedBytes), mode: liveUserId === null ? 'live' : 'test' };
}
