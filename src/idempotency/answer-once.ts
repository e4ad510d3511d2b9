import type { PoolClient } from 'pg';
import { z } from 'zod';
import { ApiError, toApiError } from '../api/errors';
import { pool, statementName } from '../database/client';
import type { Writer } from '../database/writer';
import { keyDigest, type RequestFacts, requestDigest } from './key';
import { idempotencyLimits } from './limits';

/** Empty, where there is no body. */
export type KeptAnswer = { status: number; body: string };

export type KeyedRequest = { accountId: string; key: string; facts: RequestFacts };

/**
 * Answers a request that carries a key: with what `run` makes of it, or with what was answered to the
 * same request before, and then nothing is run.
 *
 * What `run` writes, and the answer under the key, are one transaction. It begins with the first
 * statement, so that what is refused before that costs nothing; whatever throws undoes it, and the
 * key is as if it had never been used. Whoever dies in it leaves nothing, since the database undoes
 * it too. Nobody waits for another's key. `run` must write through the writer alone: whatever asks
 * for a second connection may wait for it for ever.
 *
 * @throws ApiError IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_KEY_IN_USE, and whatever `run` throws
 */
export async function answerOnce(
  request: KeyedRequest,
  run: (writer: Writer) => Promise<KeptAnswer>,
): Promise<KeptAnswer & { isReplayed: boolean }> {
  let claiming: Promise<Claim> | undefined;
  const claimed = () => {
    claiming ??= claim(request);
    return claiming;
  };
  const tasks: (() => Promise<void>)[] = [];
  const writer: Writer = {
    async write<Row extends object>({ text, values }: { text: string; values: unknown[] }) {
      const { client } = await claimed();
      if (!client) throw new AnsweredBefore();
      const { rows } = await client.query<Row>({ name: statementName(text), text, values });
      return rows;
    },
    async afterCommit(task) {
      tasks.push(task);
    },
  };
  let answer: KeptAnswer;
  try {
    answer = await run(writer);
    await (await claiming)?.keep(answer);
  } catch (error) {
    // The request that this one repeats may be what has filled the account.
    if (toApiError(error).apiCode === 'QUOTA_EXCEEDED') await claimed();
    const { earlier, undo } = (await claiming) ?? {};
    await undo?.();
    if (earlier) return { ...earlier, isReplayed: true };
    throw error;
  }
  for (const task of tasks) await task();
  return { ...answer, isReplayed: false };
}

/** Ends the run of a request that needs none; nobody is told. */
class AnsweredBefore extends Error {
  override name = 'AnsweredBefore';
}

/** With an earlier answer there is no transaction. */
type Claim = {
  earlier?: KeptAnswer;
  client?: PoolClient;
  /** Writes the answer under the key, and commits. */
  keep(answer: KeptAnswer): Promise<void>;
  undo(): Promise<void>;
};

/** What `claim_idempotency_key` finds: an answer, or whether the key is this transaction's now. */
const found = z.union([
  z.object({ request: z.string(), status: z.number(), body: z.string() }),
  z.object({ is_free: z.boolean() }),
]);
const claimResults = z.tuple([z.unknown(), z.object({ rows: z.tuple([z.object({ found })]) })]);

/**
 * Begins a transaction that has the key to itself, or finds what was answered.
 *
 * The lock is tried and never waited for: an insert would wait for whoever is about to insert the
 * same. Both statements are one round trip; what stands in them are digests and an id, never a
 * client's text.
 */
async function claim({ accountId, key, facts }: KeyedRequest): Promise<Claim> {
  const digest = keyDigest(accountId, key);
  const request = requestDigest(facts).toString('hex');
  const keyBytes = bytes(digest.toString('hex'));
  const client = await pool().connect();
  const undo = () => rollBack(client);
  try {
    const results: unknown = await client.query(`BEGIN;
      SELECT claim_idempotency_key('${accountId}', ${keyBytes}, ${digest.readBigInt64BE()},
        '${idempotencyLimits.hours} hours') AS found`);
    const [, { rows }] = claimResults.parse(results);
    const [{ found }] = rows;
    if ('body' in found) {
      if (found.request !== request) throw new ApiError('IDEMPOTENCY_KEY_REUSED');
      await undo();
      const { status, body } = found;
      const nothing = async () => {};
      return { earlier: { status, body }, keep: nothing, undo: nothing };
    }
    if (!found.is_free) throw new ApiError('IDEMPOTENCY_KEY_IN_USE');
  } catch (error) {
    await undo();
    throw error;
  }
  return {
    client,
    async keep({ status, body }) {
      await client.query(`
        INSERT INTO idempotency_keys (user_id, key_digest, request_digest, status, body)
        VALUES ('${accountId}', ${keyBytes}, ${bytes(request)}, ${status},
          ${client.escapeLiteral(body)});
        COMMIT`);
      client.release();
    },
    undo,
  };
}

/** The connection goes on where it can; without it, nothing of the transaction stays either. */
async function rollBack(client: PoolClient): Promise<void> {
  try {
    await client.query('ROLLBACK');
    client.release();
  } catch {
    client.release(true);
  }
}

function bytes(hex: string): string {
  return `'\\x${hex}'::bytea`;
}
