import { createHash } from 'node:crypto';
import { database } from '../database/client';

/** Tries to sign in to one account, from wherever they come, right ones aside. */
export const accountLimit = { tries: 10, windowSeconds: 15 * 60 };

/**
 * Counts a try to sign in to the account with this e-mail address, whether or not there is one.
 * False once the window's tries are used up. Counted before the password is looked at, so that
 * tries at the same time cannot pass together. The table is the one of the throttle by address,
 * which clears rows out once they are old.
 */
export async function countSignIn(email: string, now: number): Promise<boolean> {
  const windowStart = BigInt(now - accountLimit.windowSeconds * 1000);
  const [row] = await database().$queryRaw<{ count: number }[]>`
    INSERT INTO sign_in_throttles AS throttle (key, count, last_request)
    VALUES (${keyOf(email)}, 1, ${BigInt(now)})
    ON CONFLICT (key) DO UPDATE SET
      count = CASE WHEN throttle.last_request <= ${windowStart} THEN 1 ELSE throttle.count + 1 END,
      last_request = CASE
        WHEN throttle.last_request <= ${windowStart} THEN ${BigInt(now)}
        ELSE throttle.last_request
      END
    RETURNING count`;
  return (row?.count ?? 1) <= accountLimit.tries;
}

/** Forgets the tries, after one with the right password. */
export async function forgetSignIns(email: string): Promise<void> {
  await database().signInThrottle.deleteMany({ where: { key: keyOf(email) } });
}

/** A digest, because what people type as their address need not be one, or theirs. */
function keyOf(email: string): string {
  return `account|${createHash('sha256').update(email.trim().toLowerCase()).digest('hex')}`;
}
