import { createHash } from 'node:crypto';
import { addressPrefix, clientAddress } from '../api/forwarded';
import { database } from '../database/client';

/** What is counted. A window begins with the first try and ends after this. */
export const windowMs = 15 * 60 * 1000;

type Limits = {
  /** Tries from one address prefix, whatever the account. */
  fromPrefix: number;
  /** Tries at one account from one address prefix. */
  atAccountFromPrefix?: number;
  /**
   * Tries at one account from everywhere: far above the other, so that it takes dozens of networks
   * to lock somebody out, and still bounds those who have them.
   */
  atAccount?: number;
};

export const tryLimits = {
  'sign-in': { fromPrefix: 300, atAccountFromPrefix: 10, atAccount: 300 },
  'change-password': { fromPrefix: 100, atAccountFromPrefix: 10, atAccount: 300 },
  'sign-up': { fromPrefix: 20 },
} as const satisfies Record<string, Limits>;

export type Try = {
  action: keyof typeof tryLimits;
  /** What the person calls it; whether there is one does not matter. */
  account?: string;
  headers: Headers;
};

/**
 * Counts a try before anything is looked at, so that tries at the same time cannot pass together.
 * Answers nothing, or when to come back. What one limit refuses is not counted by the wider ones:
 * a single stranger could otherwise use up the account's.
 */
export async function countTry(tried: Try, now: number): Promise<{ retryAtMs: number } | null> {
  for (const { key, limit } of buckets(tried)) {
    const { count, startedAt } = await countOne(key, now);
    if (count > limit) return { retryAtMs: startedAt + windowMs };
  }
  return null;
}

/** Forgets the tries at the account from where the right password came. */
export async function forgetTries(tried: Try): Promise<void> {
  const { account } = keysOf(tried);
  await database().signInThrottle.deleteMany({ where: { key: account.fromPrefix } });
}

function buckets(tried: Try): { key: string; limit: number }[] {
  const { fromPrefix, atAccountFromPrefix, atAccount }: Limits = tryLimits[tried.action];
  const keys = keysOf(tried);
  return [
    { key: keys.prefix, limit: fromPrefix },
    { key: keys.account.fromPrefix, limit: atAccountFromPrefix },
    { key: keys.account.fromEverywhere, limit: atAccount },
  ].filter((bucket): bucket is { key: string; limit: number } => bucket.limit !== undefined);
}

function keysOf({ action, account = '', headers }: Try) {
  const prefix = addressPrefix(clientAddress(headers));
  // A digest, because what people type as their address need not be one, or theirs.
  const digest = createHash('sha256').update(account.trim().toLowerCase()).digest('hex');
  return {
    prefix: `${action}|from|${prefix}`,
    account: {
      fromPrefix: `${action}|at|${digest}|${prefix}`,
      fromEverywhere: `${action}|at|${digest}`,
    },
  };
}

async function countOne(key: string, now: number): Promise<{ count: number; startedAt: number }> {
  const windowStart = BigInt(now - windowMs);
  const [row] = await database().$queryRaw<{ count: number; last_request: bigint }[]>`
    INSERT INTO sign_in_throttles AS throttle (key, count, last_request)
    VALUES (${key}, 1, ${BigInt(now)})
    ON CONFLICT (key) DO UPDATE SET
      count = CASE WHEN throttle.last_request <= ${windowStart} THEN 1 ELSE throttle.count + 1 END,
      last_request = CASE
        WHEN throttle.last_request <= ${windowStart} THEN ${BigInt(now)}
        ELSE throttle.last_request
      END
    RETURNING count, last_request`;
  const { count, last_request } = row ?? { count: 1, last_request: BigInt(now) };
  // The first try of a window clears out what is over.
  if (count === 1) {
    await database().signInThrottle.deleteMany({ where: { lastRequest: { lte: windowStart } } });
  }
  return { count, startedAt: Number(last_request) };
}
