import { hashPassword, verifyPassword } from 'better-auth/crypto';
import { z } from 'zod';
import { database } from '../database/client';
import { Prisma } from '../database/generated/client';
import { callOffLinks, consumeLink, isLinkGood } from './links';

/** What better-auth is told too. */
export const passwordLimits = { min: 8, max: 128 } as const;

export const newPassword = z
  .string()
  .min(passwordLimits.min, `must have at least ${passwordLimits.min} characters`)
  .max(passwordLimits.max, `must have at most ${passwordLimits.max} characters`);

/** Whether this is the account's password. Takes as long as a sign-in does. */
export async function isPasswordOf(accountId: string, password: string): Promise<boolean> {
  const method = await database().signInMethod.findFirst({
    where: { userId: accountId, providerId: 'credential' },
    select: { password: true },
  });
  if (!method?.password) return false;
  return verifyPassword({ hash: method.password, password });
}

/** Sets the password, ends every session, and voids every link. For whoever runs the service. */
export async function setPassword(accountId: string, password: string): Promise<void> {
  const account = Prisma.sql`SELECT id AS user_id FROM users WHERE id = ${accountId}::uuid`;
  const voided = Prisma.sql`, voided AS (
    DELETE FROM account_links WHERE user_id IN (SELECT user_id FROM account)
  )`;
  await replacePassword(account, voided, await hashPassword(password));
}

/**
 * The same by a link from a mail, which it uses up. Returns false, and does nothing, where the link
 * is good for nothing any more.
 */
export async function resetPassword(token: string, password: string): Promise<boolean> {
  // Looked at before the slow part, which strangers could else ask for.
  if (!(await isLinkGood(token, 'reset-password'))) return false;
  const account = consumeLink(token, 'reset-password');
  return replacePassword(account, Prisma.empty, await hashPassword(password));
}

/** One statement: whoever is let in by the new password is alone. */
async function replacePassword(
  account: Prisma.Sql,
  voided: Prisma.Sql,
  digest: string,
): Promise<boolean> {
  const [row] = await database().$queryRaw<{ found: boolean }[]>`
    WITH account AS (${account})${voided},
    changed AS (
      UPDATE sign_in_methods SET password = ${digest}, updated_at = clock_timestamp()
      WHERE provider_id = 'credential' AND user_id IN (SELECT user_id FROM account)
    ),
    ended AS (DELETE FROM sessions WHERE user_id IN (SELECT user_id FROM account)),
    called_off AS (${callOffLinks('account')})
    SELECT EXISTS (SELECT FROM account) AS found`;
  return row?.found ?? false;
}
