import { z } from 'zod';
import { allKeysOff } from '../api-keys/all-off';
import type { Actor } from '../audit/actor';
import { database } from '../database/client';
import { Prisma } from '../database/generated/client';
import { allEndpointsPaused } from '../webhooks/all-paused';
import { hashPassword, verifyPassword } from './hashing';
import { passwordLimits } from './limits';
import { consumeLink, linksCalledOff, readLink } from './links';

export const newPassword = z
  .string()
  .min(passwordLimits.min, `must have at least ${passwordLimits.min} characters`)
  .max(passwordLimits.max, `must have at most ${passwordLimits.max} characters`);

/**
 * The digest of the account's password, where this is it: whoever goes on because of it can tell
 * whether it was replaced meanwhile. Takes as long as a sign-in does.
 */
export async function digestIfRight(
  accountId: string,
  password: string,
): Promise<string | undefined> {
  const method = await database().signInMethod.findFirst({
    where: { userId: accountId, providerId: 'credential' },
    select: { password: true },
  });
  if (!method?.password) return undefined;
  const isRight = await verifyPassword({ hash: method.password, password });
  return isRight ? method.password : undefined;
}

/** The digest of the password that signs in with an address; undefined where there is no account. */
export async function digestOfEmail(email: string): Promise<string | undefined> {
  const method = await database().signInMethod.findFirst({
    where: { providerId: 'credential', user: { email } },
    select: { password: true },
  });
  return method?.password ?? undefined;
}

/** Whether the account's password is still the one with this digest. Waits for who is replacing it. */
export async function isStillPassword(accountId: string, digest: string): Promise<boolean> {
  const rows = await database().$queryRaw<unknown[]>`
    SELECT 1 FROM sign_in_methods
    WHERE user_id = ${accountId}::uuid AND provider_id = 'credential' AND password = ${digest}
    FOR SHARE`;
  return rows.length > 0;
}

/**
 * Sets the password, ends every session, and voids every link, for whoever knew the password with this
 * digest. Returns false, and does nothing, where that was replaced meanwhile.
 */
export async function changePassword(
  accountId: string,
  digest: string,
  password: string,
): Promise<boolean> {
  const account = Prisma.sql`
    SELECT user_id FROM sign_in_methods
    WHERE user_id = ${accountId}::uuid AND provider_id = 'credential' AND password = ${digest}
    FOR UPDATE`;
  return replacePassword(accountId, account, voidedLinks, await hashPassword(password));
}

/** Sets the password, ends every session, and voids every link. For whoever runs the service. */
export async function setPassword(accountId: string, password: string): Promise<void> {
  const account = Prisma.sql`SELECT id AS user_id FROM users WHERE id = ${accountId}::uuid`;
  await replacePassword(accountId, account, voidedLinks, await hashPassword(password));
}

/**
 * The same by a link from a mail, which it uses up. With `everythingOffBy`, who uses it,
 * every key and endpoint of the account is switched off too, in both modes: else those would go on that
 * a stranger has made in it. Returns false, and does nothing, where the link is good for nothing any more.
 */
export async function resetPassword(
  token: string,
  password: string,
  { everythingOffBy }: { everythingOffBy?: Actor | undefined } = {},
): Promise<boolean> {
  // Looked at before the slow part, which strangers could else ask for.
  const link = await readLink(token, 'reset-password');
  if (!link) return false;
  const account = consumeLink(token, 'reset-password');
  const others = everythingOffBy ? everythingOff(everythingOffBy) : Prisma.empty;
  return replacePassword(link.accountId, account, others, await hashPassword(password));
}

function everythingOff(actor: Actor): Prisma.Sql {
  return Prisma.sql`, both_modes AS MATERIALIZED (
      SELECT id FROM users
      WHERE id IN (SELECT user_id FROM account) OR live_user_id IN (SELECT user_id FROM account)
    ),
    ${allEndpointsPaused('both_modes', actor)},
    ${allKeysOff('both_modes', actor)}`;
}

const voidedLinks = Prisma.sql`, voided AS (
    DELETE FROM account_links WHERE user_id IN (SELECT user_id FROM account)
  )`;

async function replacePassword(
  accountId: string,
  account: Prisma.Sql,
  others: Prisma.Sql,
  digest: string,
): Promise<boolean> {
  try {
    return await writePassword(account, others, digest);
  } catch (error) {
    // Its connection may have been cut once it was done.
    if (await isStillPassword(accountId, digest).catch(() => false)) return true;
    throw error;
  }
}

/** One statement: whoever is let in by the new password is alone. */
async function writePassword(
  account: Prisma.Sql,
  others: Prisma.Sql,
  digest: string,
): Promise<boolean> {
  const [row] = await database().$queryRaw<{ found: boolean }[]>`
    WITH account AS (${account})${others},
    changed AS (
      UPDATE sign_in_methods SET password = ${digest}, updated_at = clock_timestamp()
      WHERE provider_id = 'credential' AND user_id IN (SELECT user_id FROM account)
      RETURNING user_id
    ),
    -- Of a sign-up of an earlier version that was killed between its two rows.
    made AS (
      INSERT INTO sign_in_methods (user_id, account_id, provider_id, password)
      SELECT user_id, user_id, 'credential', ${digest} FROM (SELECT DISTINCT user_id FROM account) one
      WHERE user_id NOT IN (SELECT user_id FROM changed)
    ),
    ended AS (DELETE FROM sessions WHERE user_id IN (SELECT user_id FROM account)),
    called_off AS (${linksCalledOff})
    SELECT EXISTS (SELECT FROM account) AS found`;
  return row?.found ?? false;
}
