import { database } from '../database/client';
import { Prisma } from '../database/generated/client';
import { queueMails } from '../mail/queue';
import { EmailTakenError } from './accounts';
import { consumeLink, linksCalledOff, readLink } from './links';
import { isUniqueViolation } from './unique-violation';

/**
 * Changes the address that signs in, at once, and voids the account's links: they went to the old
 * one. For where no mails are sent, and for a link that has arrived.
 * @throws EmailTakenError
 */
export async function changeEmail(accountId: string, email: string): Promise<void> {
  const account = Prisma.sql`
    account AS (SELECT ${accountId}::uuid AS user_id, ${email} AS email),
    voided AS (DELETE FROM account_links WHERE user_id = ${accountId}::uuid)`;
  await replaceEmail(account, { isVerified: false });
}

/**
 * Queues a mail with a link to the new address, and one that says so to the present address. Nothing
 * changes before the link is used. Whether the address is taken comes out there: only who reads its
 * mails learns it.
 */
export async function requestEmailChange(accountId: string, email: string): Promise<void> {
  await database().$queryRaw`
    WITH account AS (
      SELECT id, email FROM users WHERE id = ${accountId}::uuid AND closed_at IS NULL
    ),
    confirmation AS (${queueMails(
      'confirm-email',
      Prisma.sql`SELECT id AS user_id, ${email} AS recipient, '{}'::json AS data FROM account`,
    )}),
    notice AS (${queueMails(
      'email-changing',
      Prisma.sql`
        SELECT id AS user_id, email AS recipient, json_build_object('email', ${email}::text) AS data
        FROM account`,
    )})
    SELECT id FROM account`;
}

/**
 * Changes the address to the one that the link was sent to. Returns false where the link is good for
 * nothing any more.
 * @throws EmailTakenError, and the link stays good
 */
export async function confirmEmail(token: string): Promise<boolean> {
  const link = await readLink(token, 'confirm-email');
  if (!link) return false;
  try {
    const account = Prisma.sql`
      links AS (${consumeLink(token, 'confirm-email')}),
      account AS (SELECT user_id, email FROM links WHERE purpose = 'confirm-email')`;
    return await replaceEmail(account, { isVerified: true });
  } catch (error) {
    if (error instanceof EmailTakenError) throw error;
    // Its connection may have been cut once it was done.
    if (await isConfirmed(link).catch(() => false)) return true;
    throw error;
  }
}

async function isConfirmed({ accountId: id, email }: { accountId: string; email: string }) {
  const where = { id, email, emailVerified: true };
  return (await database().user.count({ where })) > 0;
}

/** `account`: expressions of a WITH, of which the one of this name has the `user_id` and its new `email`. */
async function replaceEmail(
  account: Prisma.Sql,
  { isVerified }: { isVerified: boolean },
): Promise<boolean> {
  try {
    const [row] = await database().$queryRaw<{ changed: boolean }[]>`
      WITH ${account},
      called_off AS (${linksCalledOff}),
      changed AS (
        UPDATE users SET email = account.email, email_verified = ${isVerified},
          updated_at = clock_timestamp(),
          name = CASE WHEN users.name = users.email THEN account.email ELSE users.name END
        FROM account WHERE users.id = account.user_id AND users.closed_at IS NULL
        RETURNING users.id
      )
      SELECT EXISTS (SELECT FROM changed) AS changed`;
    return row?.changed ?? false;
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new EmailTakenError('There is already an account for this address.', { cause: error });
  }
}
