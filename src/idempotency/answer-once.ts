import type { PoolClient } from 'pg';
import { z } from 'zod';
import { ApiError } from '../api/errors';
import { busyIfLocked, createWriteTurn, type WriteTurn } from '../api/write-turns';
import { allowLong, pool, statementName } from '../database/client';
import { againAfterDeadlock } from '../database/connections/deadlocks';
import { beginBounded } from '../database/connections/pool';
import type { Prisma } from '../database/generated/client';
import { type OnceStatement, plain, type Writer } from '../database/writer';
import { type KeyDigests, keyDigest, type RequestFacts, requestDigest } from './key';
import { idempotencyLimits } from './limits';
import { type Kept, tryAtOnce } from './one-statement';
import { keepParts, partsOf, readParts, type Slice } from './parts';
import { openBody, sealBody } from './sealed-body';

/** Empty, where there is no body; in slices, where it is large. */
type KeptAnswer = { status: number; body: string | Slice[] };

type KeyedRequest = {
  accountId: string;
  key: string;
  facts: RequestFacts;
  /** The status of success. */
  success: number;
  /** Whether the answer tells a secret: it is kept encrypted. */
  isSecret: boolean;
  /** Asked once it is the request's turn, and what it throws ends it. */
  requireAccessStill?: (() => Promise<void>) | undefined;
};

/**
 * Answers a request that carries a key: with what `run` makes of it, or with what was answered to the
 * same request before, and then nothing is run.
 *
 * What `run` writes, and the answer under the key, are one transaction, begun by the first statement,
 * or one statement, where that can tell the answer. Whatever throws undoes it, and the key is as if it
 * had never been used. Whoever dies in it leaves nothing, since the database undoes it too. Nobody
 * waits for another's key. `run` must write through the writer alone: whatever asks for a second
 * connection may wait for it for ever, and `run` is called again where Postgres has ended a deadlock by
 * undoing what it wrote.
 *
 * @throws ApiError IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_KEY_IN_USE; LargeReadError where the kept answer
 * needs room that was not made; and whatever `run` throws
 */
export async function answerOnce(
  request: KeyedRequest,
  run: (writer: Writer) => Promise<KeptAnswer['body']>,
): Promise<KeptAnswer & { isReplayed: boolean }> {
  const turn = createWriteTurn(request.accountId, request.requireAccessStill);
  const tasks: (() => Promise<void>)[] = [];
  const answer = await againAfterDeadlock(() => {
    // What was left to be done by a run that was undone went with it.
    tasks.length = 0;
    return answerInTurn(request, run, { turn, tasks });
  })
    .catch((error: unknown) => {
      throw busyIfLocked(error);
    })
    .finally(turn.leave);
  for (const task of tasks) await task();
  return answer;
}

async function answerInTurn(
  request: KeyedRequest,
  run: (writer: Writer) => Promise<KeptAnswer['body']>,
  { turn, tasks }: { turn: WriteTurn; tasks: (() => Promise<void>)[] },
): Promise<KeptAnswer & { isReplayed: boolean }> {
  const { accountId, key, facts, success, isSecret } = request;
  const digests = { key: keyDigest(accountId, key), request: requestDigest(facts) };
  let claiming: Promise<Claim> | undefined;
  const claimed = () => {
    claiming ??= turn.enter().then(() => claim(request, digests));
    return claiming;
  };
  const writer: Writer = {
    async write<Row extends object>({ text, values }: Prisma.Sql, { isLong = false } = {}) {
      const { client } = await claimed();
      if (!client) throw new AnsweredBefore();
      if (isLong) allowLong(client);
      const { rows } = await client.query<Row>({ name: statementName(text), text, values });
      return rows;
    },
    async writeOnce<Row extends object>(statement: OnceStatement) {
      // What is kept encrypted is encrypted here.
      if (isSecret) return writer.write<Row>(plain(statement));
      await turn.enter();
      const attempt = await tryAtOnce<Row>(accountId, digests, success, statement);
      if ('rows' in attempt) {
        claiming = Promise.resolve(settled);
        return attempt.rows;
      }
      if ('earlier' in attempt) claiming = answered(attempt.earlier, digests);
      return writer.write<Row>(plain(statement));
    },
    async writeInOrder<Row extends object>(statements: Prisma.Sql[]) {
      let rows: Row[] = [];
      for (const statement of statements) rows = await writer.write<Row>(statement);
      return rows;
    },
    async afterCommit(task) {
      tasks.push(task);
    },
  };
  let body: KeptAnswer['body'];
  try {
    body = await run(writer);
    // What has written nothing, as an import of which no item is valid, looks its key up here.
    const { earlier, keep } = await claimed();
    if (earlier) throw new AnsweredBefore();
    await keep({ status: success, body });
  } catch (error) {
    // What is wrong now may not have been when the same was asked before: the account is full since
    // then, or what it was about is gone.
    const { earlier, undo } = await claimed();
    await undo();
    if (earlier) return { ...(await open(accountId, digests.key, earlier)), isReplayed: true };
    throw error;
  }
  return { status: success, body, isReplayed: false };
}

/** Ends the run of a request that needs none; nobody is told. */
class AnsweredBefore extends Error {
  override name = 'AnsweredBefore';
}

/** A row as it is kept: in parts, sealed, or the answer itself. */
type Earlier = { status: number; body: string };

/** @throws as `answerOnce` */
async function open(
  accountId: string,
  key: Buffer,
  { status, body }: Earlier,
): Promise<KeptAnswer> {
  const parts = partsOf(body);
  if (!parts) return { status, body: openBody(body, key) };
  const slices = await readParts(accountId, key, parts);
  // What has just expired is told as what is under way: sent again, it is done anew.
  if (!slices) throw inUse();
  return { status, body: slices };
}

/** With an earlier answer there is no transaction. */
type Claim = {
  earlier?: Earlier;
  client?: PoolClient;
  /** Writes the answer under the key, and commits. */
  keep(answer: KeptAnswer): Promise<void>;
  undo(): Promise<void>;
};

/** There is no transaction any more. */
const settled: Claim = { keep: async () => {}, undo: async () => {} };

/** @throws ApiError IDEMPOTENCY_KEY_REUSED where it is the answer to another request */
async function answered({ request, status, body }: Kept, digests: KeyDigests): Promise<Claim> {
  if (request !== digests.request.toString('hex')) throw new ApiError('IDEMPOTENCY_KEY_REUSED');
  return { ...settled, earlier: { status, body } };
}

/** What `claim_idempotency_key` finds: an answer, or whether the key is this transaction's now. */
const found = z.union([
  z.object({ request: z.string(), status: z.number(), body: z.string() }),
  z.object({ is_free: z.boolean() }),
]);
const claimResults = z.tuple([
  z.unknown(),
  z.unknown(),
  z.object({ rows: z.tuple([z.object({ found })]) }),
]);

/**
 * Begins a transaction that has the key to itself, or finds what was answered.
 *
 * The lock is tried and never waited for: an insert would wait for whoever is about to insert the
 * same. All statements are one round trip; what stands in them are digests and an id, never a
 * client's text.
 */
async function claim({ accountId, isSecret }: KeyedRequest, digests: KeyDigests): Promise<Claim> {
  const key = bytes(digests.key);
  const client = await pool().connect();
  const undo = () => rollBack(client);
  try {
    const results: unknown = await client.query(`${beginBounded};
      SELECT claim_idempotency_key('${accountId}', ${key}, ${digests.key.readBigInt64BE()},
        '${idempotencyLimits.hours} hours') AS found`);
    const [, , { rows }] = claimResults.parse(results);
    const [{ found }] = rows;
    if ('body' in found) {
      const claim = await answered(found, digests);
      await undo();
      return claim;
    }
    if (!found.is_free) throw inUse();
  } catch (error) {
    await undo();
    throw error;
  }
  return {
    client,
    async keep({ status, body }) {
      const row = { accountId, digests, status, isSecret };
      const kept =
        typeof body !== 'string'
          ? await keepParts(client, row, body)
          : isSecret
            ? sealBody(body, digests.key)
            : body;
      await client.query(`
        INSERT INTO idempotency_keys (user_id, key_digest, request_digest, status, body)
        VALUES ('${accountId}', ${key}, ${bytes(digests.request)}, ${status},
          ${client.escapeLiteral(kept)})
        ON CONFLICT (user_id, key_digest) DO UPDATE SET request_digest = excluded.request_digest,
          status = excluded.status, body = excluded.body, created_at = excluded.created_at;
        COMMIT`);
      client.release();
    },
    undo,
  };
}

function inUse(): ApiError {
  const { retryAfterSeconds } = idempotencyLimits;
  return new ApiError('IDEMPOTENCY_KEY_IN_USE', { retryAfterSeconds });
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

/** Written so that the server reads the same with `standard_conforming_strings` off. */
function bytes(digest: Buffer): string {
  return `E'\\\\x${digest.toString('hex')}'::bytea`;
}
