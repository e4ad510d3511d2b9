import { createHash, createHmac } from 'node:crypto';
import { database } from '../database/client';
import { Prisma } from '../database/generated/client';
import { derivedKey } from '../secrets/derived-key';
import type { LinkPurpose } from './schema';

/**
 * What the link in a mail carries. It follows from the mail's id and SECRET_KEY, so that neither the
 * queue nor the table holds it, and a mail that is sent again has the same link.
 */
export function tokenOf(mailId: string): string {
  return createHmac('sha256', derivedKey('mailed-links')).update(mailId).digest('base64url');
}

export function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/**
 * Makes the link of a mail good, until the mail is no longer worth sending, instead of the one before
 * of that purpose. Returns whether it is: not where a later mail has one already, or the mail was
 * called off.
 */
export async function openLink(
  mailId: string,
  purpose: LinkPurpose,
  account: { id: string; email: string },
): Promise<boolean> {
  const opened = await database().$executeRaw`
    INSERT INTO account_links AS link (user_id, purpose, digest, email, requested_at, expires_at)
    SELECT users.id, ${purpose}, ${digestOf(tokenOf(mailId))}, ${account.email},
      mails.created_at, mails.expires_at
    FROM mails, users
    WHERE mails.id = ${mailId}::uuid AND users.id = ${account.id}::uuid AND users.closed_at IS NULL
    ON CONFLICT (user_id, purpose) DO UPDATE SET digest = excluded.digest, email = excluded.email,
      requested_at = excluded.requested_at, expires_at = excluded.expires_at
    -- One that is yet to be asked for was so by a clock that was ahead, and is no later.
    WHERE link.requested_at <= excluded.requested_at
      OR link.requested_at > clock_timestamp()`;
  return opened > 0;
}

/** One that is yet to be asked for was so by a clock that was ahead, and would be good until that day. */
const isInTime = Prisma.sql`clock_timestamp() >= requested_at AND clock_timestamp() < expires_at`;

/**
 * Whose link it is, and the address that it was sent to; undefined where it is good for nothing any more.
 * Looking does not use it up.
 */
export async function readLink(
  token: string,
  purpose: LinkPurpose,
): Promise<{ accountId: string; email: string } | undefined> {
  const [link] = await database().$queryRaw<{ accountId: string; email: string }[]>`
    SELECT user_id AS "accountId", email FROM account_links
    WHERE digest = ${digestOf(token)} AND purpose = ${purpose} AND ${isInTime}`;
  return link;
}

/**
 * An expression of a statement that uses a link up, and voids every other one of its account: of
 * several uses at once, one finds it. It has `user_id` and the `purpose` and `email` of each.
 *
 * Looked at once they are locked: a later link of the purpose may take the place of this one until then,
 * and must not be used up for it.
 */
export function consumeLink(token: string, purpose: LinkPurpose): Prisma.Sql {
  const digest = digestOf(token);
  return Prisma.sql`
    WITH held AS MATERIALIZED (
      SELECT user_id, purpose, digest, requested_at, expires_at FROM account_links
      WHERE user_id = (SELECT user_id FROM account_links WHERE digest = ${digest})
      FOR UPDATE
    )
    DELETE FROM account_links WHERE user_id = (
      SELECT user_id FROM held
      WHERE digest = ${digest} AND purpose = ${purpose} AND ${isInTime}
    )
    RETURNING user_id, purpose, email`;
}

/**
 * An expression of a statement that calls off mails with links that are still on their way: to the
 * accounts whose ids its expression `account` has as `user_id`.
 */
export const linksCalledOff = Prisma.sql`
    DELETE FROM mails
    WHERE (kind = 'confirm-email' AND user_id IN (SELECT user_id FROM account))
      OR (kind = 'reset-password' AND recipient IN
        (SELECT email FROM users WHERE id IN (SELECT user_id FROM account)))`;
