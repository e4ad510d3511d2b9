import { createHash } from 'node:crypto';
import { addressPrefix, addressSite, clientAddress } from '../../api/forwarded';
import { database } from '../../database/client';
import { Prisma } from '../../database/generated/client';
import { log } from '../../logging/log';

/** What is counted. A window begins with the first try and ends after this. */
export const windowMs = 15 * 60 * 1000;

type Limits = {
  /** Tries from one address prefix, whatever the account. */
  fromPrefix: number;
  /** Tries at one account from one address prefix. */
  atAccountFromPrefix?: number;
  /**
   * Tries at one account from one site: who has a site of IPv6 has up to 65,536 prefixes, and could use
   * up by themselves what the account has from everywhere.
   */
  atAccountFromSite?: number;
  /**
   * Tries at one account from everywhere: far above the others, so that it takes many networks to keep
   * a person out who comes from a new place, and still bounds those who have them. Where somebody has
   * signed in to the account before, neither this nor that of the site holds.
   */
  atAccount?: number;
};

/** How long a network is known from which the right password came. */
export const knownForMs = 90 * 24 * 60 * 60 * 1000;

export const tryLimits = {
  'sign-in': { fromPrefix: 300, atAccountFromPrefix: 10, atAccountFromSite: 30, atAccount: 300 },
  'change-password': { fromPrefix: 100, atAccountFromPrefix: 10, atAccount: 300 },
  'sign-up': { fromPrefix: 20 },
  // Each is a mail to somebody, who may not have asked for it.
  'request-reset': { fromPrefix: 20, atAccountFromPrefix: 3, atAccount: 10 },
  'change-email': { fromPrefix: 40, atAccountFromPrefix: 3, atAccount: 10 },
  'use-link': { fromPrefix: 100 },
  'test-mail': { fromPrefix: 20, atAccountFromPrefix: 3, atAccount: 5 },
} as const satisfies Record<string, Limits>;

export type Try = {
  action: keyof typeof tryLimits;
  /** What the person calls it; whether there is one does not matter. */
  account?: string;
  headers: Headers;
};

/**
 * The database's clock in milliseconds: instances whose own clocks differ share these counts. Stable
 * within a statement, so that the index of what is over can be searched with it.
 */
const databaseNow = Prisma.sql`floor(extract(epoch FROM statement_timestamp()) * 1000)::bigint`;

/**
 * Counts a try before anything is looked at, so that tries at the same time cannot pass together.
 * Answers nothing, or when to come back. What one limit refuses is not counted by the wider ones:
 * a single stranger could otherwise use up the account's.
 */
export async function countTry(tried: Try): Promise<{ retryAfterMs: number } | null> {
  const { account } = keysOf(tried);
  for (const { key, limit } of buckets(tried)) {
    const { count, leftMs } = await countOne(key);
    if (count <= limit) continue;
    const isOfMany = key === account.fromSite || key === account.fromEverywhere;
    // Else strangers from many networks could keep the account's own people out.
    if (isOfMany && (await isFromKnownNetwork(tried))) continue;
    return { retryAfterMs: leftMs };
  }
  return null;
}

/**
 * A try that was counted has come to nothing, and no password was looked at: it is as if it had not
 * been made. What has begun since is another window, and keeps its count.
 */
export async function giveBack(
  tried: Try,
  { countedMsAgo }: { countedMsAgo: number },
): Promise<void> {
  const keys = buckets(tried).map(({ key }) => key);
  const wait = Math.floor(countedMsAgo);
  // In one order, for others who give back at the same time.
  await database().$executeRaw`
    UPDATE sign_in_throttles SET count = count - 1
    WHERE key IN (
      SELECT key FROM sign_in_throttles
      WHERE key = ANY (${keys}::text[])
        AND last_request <= ${databaseNow} - ${wait}::bigint
        AND last_request > ${databaseNow} - ${windowMs}::bigint
      ORDER BY key FOR UPDATE
    )`;
}

/**
 * The right password came: the tries from there are forgotten, and the network is known from now. Never
 * throws: where it cannot be noted, the password was right all the same.
 */
export async function noteRightPassword(tried: Try): Promise<void> {
  try {
    await forgetTries(tried);
  } catch (error) {
    log().warn({ err: error, component: 'auth' }, 'a right password could not be noted');
  }
}

async function forgetTries(tried: Try): Promise<void> {
  const { account } = keysOf(tried);
  await database().signInThrottle.deleteMany({ where: { key: account.fromPrefix } });
  // It goes with what is over once its time has come.
  await database().$executeRaw`
    INSERT INTO sign_in_throttles (key, count, last_request)
    VALUES (${account.known}, 0, ${databaseNow} + ${knownForMs}::bigint)
    ON CONFLICT (key) DO UPDATE SET last_request = excluded.last_request`;
}

/** Whether the right password came from there, to this account, within `knownForMs`. */
export async function isFromKnownNetwork(tried: Try): Promise<boolean> {
  const { account } = keysOf(tried);
  const rows = await database().$queryRaw<unknown[]>`
    SELECT 1 FROM sign_in_throttles WHERE key = ${account.known} AND last_request > ${databaseNow}`;
  return rows.length > 0;
}

function buckets(tried: Try): { key: string; limit: number }[] {
  const limits: Limits = tryLimits[tried.action];
  const keys = keysOf(tried);
  return [
    { key: keys.prefix, limit: limits.fromPrefix },
    { key: keys.account.fromPrefix, limit: limits.atAccountFromPrefix },
    { key: keys.account.fromSite, limit: limits.atAccountFromSite },
    { key: keys.account.fromEverywhere, limit: limits.atAccount },
  ].filter((bucket): bucket is { key: string; limit: number } => bucket.limit !== undefined);
}

function keysOf({ action, account = '', headers }: Try) {
  const address = clientAddress(headers);
  const prefix = addressPrefix(address);
  // A digest, because what people type as their address need not be one, or theirs.
  const digest = createHash('sha256').update(account.trim().toLowerCase()).digest('hex');
  return {
    prefix: `${action}|from|${prefix}`,
    account: {
      fromPrefix: `${action}|at|${digest}|${prefix}`,
      fromSite: `${action}|at|${digest}|site|${addressSite(address)}`,
      fromEverywhere: `${action}|at|${digest}`,
      known: `${action}|known|${digest}|${prefix}`,
    },
  };
}

async function countOne(key: string): Promise<{ count: number; leftMs: number }> {
  // Also one that is yet to begin, by so much: the clock was ahead when it was counted.
  const isOver = Prisma.sql`abs(excluded.last_request - throttle.last_request) >= ${windowMs}::bigint`;
  const [row] = await database().$queryRaw<{ count: number; leftMs: number }[]>`
    INSERT INTO sign_in_throttles AS throttle (key, count, last_request)
    VALUES (${key}, 1, ${databaseNow})
    ON CONFLICT (key) DO UPDATE SET
      count = CASE WHEN ${isOver} THEN 1 ELSE throttle.count + 1 END,
      last_request = CASE WHEN ${isOver} THEN excluded.last_request ELSE throttle.last_request END
    RETURNING count, (last_request + ${windowMs}::bigint - ${databaseNow})::float8 AS "leftMs"`;
  const { count, leftMs } = row ?? { count: 1, leftMs: windowMs };
  // The first try of a window clears out what is over.
  if (count === 1) {
    await database().$executeRaw`
      DELETE FROM sign_in_throttles WHERE last_request <= ${databaseNow} - ${windowMs}::bigint`;
  }
  return { count, leftMs };
}
