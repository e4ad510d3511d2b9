import { database } from '../database/client';

/**
 * Closes an account for good, in one statement: from here on no key, session, password or link of it
 * works, its address is free again, and no delivery is begun; its test account is closed with it. What
 * they have is removed by `accountDeletionJob`. Returns false where there is none, or it was closed before.
 */
export async function closeAccount(accountId: string): Promise<boolean> {
  const [row] = await database().$queryRaw<{ closed: boolean }[]>`
    WITH closed AS (
      UPDATE users SET closed_at = (SELECT clock_timestamp()), updated_at = clock_timestamp(),
        name = '', email = 'closed-' || id || '@invalid', image = NULL
      WHERE (id = ${accountId}::uuid OR live_user_id = ${accountId}::uuid) AND closed_at IS NULL
      RETURNING id
    ),
    keys AS (DELETE FROM api_keys WHERE user_id IN (SELECT id FROM closed)),
    methods AS (DELETE FROM sign_in_methods WHERE user_id IN (SELECT id FROM closed)),
    signed_in AS (DELETE FROM sessions WHERE user_id IN (SELECT id FROM closed)),
    links AS (DELETE FROM account_links WHERE user_id IN (SELECT id FROM closed)),
    unsent AS (DELETE FROM mails WHERE user_id IN (SELECT id FROM closed)),
    endpoints AS (
      UPDATE webhook_endpoints SET enabled = false WHERE user_id IN (SELECT id FROM closed)
    )
    SELECT EXISTS (SELECT FROM closed WHERE id = ${accountId}::uuid) AS closed`;
  return row?.closed ?? false;
}
