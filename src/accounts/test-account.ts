import { database } from '../database/client';
import type { Mode } from '../mode';

/**
 * Has a session's pages show live rows or test data, from its next request on. The test account is made
 * when it is first asked for. Returns the mode that the session is in: live where the account was
 * closed meanwhile.
 */
export async function setMode(session: { id: string; ownerId: string; mode: Mode }): Promise<Mode> {
  const { id, ownerId, mode } = session;
  if (mode === 'test' && (await testAccountIdOf(ownerId)) === undefined) {
    await createTestAccount(ownerId);
  }
  const [row] = await database().$queryRaw<{ mode: Mode }[]>`
    UPDATE sessions SET test_account_id = (
      SELECT id FROM users
      WHERE live_user_id = ${ownerId}::uuid AND closed_at IS NULL AND ${mode} = 'test'
    )
    WHERE id = ${id}::uuid AND user_id = ${ownerId}::uuid
    RETURNING CASE WHEN test_account_id IS NULL THEN 'live' ELSE 'test' END AS mode`;
  return row?.mode ?? 'live';
}

/** The id of the account that has the test data of another. */
export async function testAccountIdOf(liveAccountId: string): Promise<string | undefined> {
  const account = await database().user.findUnique({
    where: { liveUserId: liveAccountId },
    select: { id: true },
  });
  return account?.id;
}

/**
 * Of several at once one makes it. Its address is nobody's, and it has no way to sign in. The row of the
 * live account is locked, so that its plan cannot change nor the account be closed in between.
 */
async function createTestAccount(liveAccountId: string): Promise<void> {
  await database().$executeRaw`
    WITH live AS (
      SELECT id, plan FROM users
      WHERE id = ${liveAccountId}::uuid AND closed_at IS NULL AND live_user_id IS NULL
      FOR SHARE
    ),
    made AS (SELECT gen_random_uuid() AS id)
    INSERT INTO users (id, name, email, plan, live_user_id)
    SELECT made.id, 'Test data', 'test-' || made.id || '@invalid', live.plan, live.id
    FROM live, made
    ON CONFLICT (live_user_id) DO NOTHING`;
}
