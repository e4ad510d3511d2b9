import { lockedKeys } from '../api-keys/api-keys';
import { database } from '../database/client';
import { lockAllEndpoints } from '../webhooks/endpoint-locks';

/**
 * Closes an account for good, in one statement: from here on no key, session, password or link of it
 * works, its address is free again, and no delivery is begun; its test account is closed with it. What
 * they have is removed by `accountDeletionJob`. Returns false where there is none, or it was closed before.
 *
 * The rows of accounts are locked after all others, as by whoever changes one of those with a foreign
 * key or a note of the change: the other way round, each would wait for the other. Links come first, as
 * where one is used.
 */
export async function closeAccount(accountId: string): Promise<boolean> {
  const [row] = await database().$queryRaw<{ closed: boolean }[]>`
    WITH closing AS MATERIALIZED (
      SELECT id FROM users
      WHERE (id = ${accountId}::uuid OR live_user_id = ${accountId}::uuid) AND closed_at IS NULL
    ),
    links AS (DELETE FROM account_links WHERE user_id IN (SELECT id FROM closing) RETURNING 1),
    signed_in AS (DELETE FROM sessions WHERE user_id IN (SELECT id FROM closing) RETURNING 1),
    ${lockAllEndpoints('closing')},
    endpoints AS (
      UPDATE webhook_endpoints SET enabled = false WHERE id IN (SELECT id FROM turn) RETURNING 1
    ),
    found AS MATERIALIZED (${lockedKeys('closing')}),
    keys AS (DELETE FROM api_keys WHERE id IN (SELECT id FROM found) RETURNING 1),
    others AS MATERIALIZED (
      SELECT (SELECT count(*) FROM links) + (SELECT count(*) FROM signed_in)
        + (SELECT count(*) FROM endpoints) + (SELECT count(*) FROM keys) AS count
    ),
    methods AS (DELETE FROM sign_in_methods WHERE user_id IN (SELECT id FROM closing)),
    unsent AS (DELETE FROM mails WHERE user_id IN (SELECT id FROM closing)),
    closed AS (
      UPDATE users SET closed_at = (SELECT clock_timestamp()), updated_at = clock_timestamp(),
        name = '', email = 'closed-' || id || '@invalid', image = NULL
      WHERE id IN (SELECT id FROM closing) AND closed_at IS NULL
        AND (SELECT count FROM others) >= 0
      RETURNING id
    )
    SELECT EXISTS (SELECT FROM closed WHERE id = ${accountId}::uuid) AS closed`;
  return row?.closed ?? false;
}
