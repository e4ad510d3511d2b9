import { DatabaseError } from 'pg';
import { pool, statementName } from '../database/client';
import { Prisma } from '../database/generated/client';
import type { OnceStatement } from '../database/writer';
import type { KeyDigests } from './key';
import { idempotencyLimits } from './limits';

/** What is kept under a key, with the digest of the request that it answered, in hex. */
export type Kept = { request: string; status: number; body: string };

/**
 * What became of a statement: it is done, and its answer kept; or it has done nothing, since there is
 * an answer already, or the key is not to be had in this way.
 */
type Attempt<Row> = { rows: Row[] } | { earlier: Kept } | { isUndecided: true };

/**
 * Does in one statement what a key asks for: looks it up, has it alone until the commit, makes the
 * change, and keeps the answer that `status` and the statement tell.
 *
 * The key's lock is tried and never waited for. Whoever has kept an answer between the beginning of
 * the statement and the lock is met at the primary key, which undoes all of it. That, a key whose
 * lock another has, and an answer that has expired are for a transaction to tell apart.
 */
export async function tryAtOnce<Row extends object>(
  accountId: string,
  digests: KeyDigests,
  status: number,
  statement: OnceStatement,
): Promise<Attempt<Row>> {
  const { text, values } = withKey(accountId, digests, status, statement);
  type Claimed = Row & { is_claimed: boolean; is_there: boolean | null; earlier: Kept | null };
  const client = await pool().connect();
  let rows: Claimed[];
  try {
    ({ rows } = await client.query<Claimed>({ name: statementName(text), text, values }));
  } catch (error) {
    // The server tells of an error before it lets go of the key: whoever looks that up by another
    // connection could find it in use. An empty statement is answered after it.
    await client.query('').catch(() => {});
    // As the pool does: what is refused costs its connection.
    client.release(true);
    const isKept = error instanceof DatabaseError && error.constraint === 'idempotency_keys_pkey';
    if (isKept) return { isUndecided: true };
    throw error;
  }
  client.release();
  const [row] = rows;
  if (row?.is_claimed) return { rows: row.is_there ? rows : [] };
  return row?.earlier ? { earlier: row.earlier } : { isUndecided: true };
}

function withKey(
  accountId: string,
  { key, request }: KeyDigests,
  status: number,
  { expressions, columns, from, answer }: OnceStatement,
): Prisma.Sql {
  const account = Prisma.sql`${accountId}::uuid`;
  const lifetime = `${idempotencyLimits.hours} hours`;
  return Prisma.sql`
    WITH key_claim AS MATERIALIZED (
      SELECT kept.user_id IS NULL
          AND pg_try_advisory_xact_lock(${key.readBigInt64BE()}::bigint) AS is_claimed,
        CASE WHEN kept.created_at > statement_timestamp() - ${lifetime}::interval
          THEN json_build_object('request', encode(kept.request_digest, 'hex'),
            'status', kept.status, 'body', kept.body) END AS earlier
      FROM (VALUES (1)) always LEFT JOIN idempotency_keys kept
        ON kept.user_id = ${account} AND kept.key_digest = ${key}::bytea
    ),
    ${expressions(Prisma.sql`AND (SELECT is_claimed FROM key_claim)`)},
    kept_answer AS (
      INSERT INTO idempotency_keys (user_id, key_digest, request_digest, status, body)
      SELECT ${account}, ${key}::bytea, ${request}::bytea, ${status}::smallint,
        ${Prisma.raw(answer.text)}
      FROM ${Prisma.raw(answer.from)}
    )
    SELECT key_claim.*, done.* FROM key_claim LEFT JOIN (
      SELECT true AS is_there, ${columns} FROM ${Prisma.raw(from)}
    ) done ON true`;
}
