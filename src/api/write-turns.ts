import { databaseErrorIn, isDeadlock } from '../database/connections/deadlocks';
import { directWriter, type Writer } from '../database/writer';
import { accountTurns } from './account-turns';
import { ApiError } from './errors';

/**
 * The writes of an account wait for one another in the database, for its row, each on a connection:
 * all of them together could keep every connection from the other accounts. As many wait as the usual
 * limit of an hour lets in: what waits is small, for large bodies are bounded before.
 */
const turns = accountTurns('write-turns', { atOnce: 4, waiting: 1000 });

/** A turn among the writes of an account. */
export type WriteTurn = {
  /**
   * Resolves once it has begun; the first call begins it.
   * @throws ApiError RATE_LIMIT_EXCEEDED where it does not begin; what `requireAccess` throws
   */
  enter(): Promise<void>;
  /** Ends it, where it has begun. */
  leave(): Promise<void>;
};

/**
 * For several statements of one request. `requireAccess` is asked as the turn begins; where it throws, the
 * turn ends with nothing written.
 */
export function createWriteTurn(accountId: string, requireAccess?: () => Promise<void>): WriteTurn {
  let entering: Promise<() => void> | undefined;
  const begin = async () => {
    const leave = await turns.enter(accountId);
    try {
      await requireAccess?.();
      return leave;
    } catch (error) {
      leave();
      throw error;
    }
  };
  return {
    async enter() {
      entering ??= begin();
      await entering;
    },
    async leave() {
      const leave = await entering?.catch(() => undefined);
      leave?.();
    },
  };
}

/**
 * Writes something of an account when it is its turn.
 * @throws ApiError RATE_LIMIT_EXCEEDED, without writing, where too many of the account wait or it waits
 * too long; OVERLOADED where others keep rows locked that it needs, and then too nothing is written
 */
export async function inWriteTurn<T>(accountId: string, task: () => Promise<T>): Promise<T> {
  try {
    return await turns.run(accountId, task);
  } catch (error) {
    throw busyIfLocked(error);
  }
}

/**
 * What a client is told whose write has waited for locks in vain, and is undone: until it was
 * cancelled, or in a circle of which it was ended.
 */
export function busyIfLocked(error: unknown): unknown {
  const cause = databaseErrorIn(error);
  const isCancelled = cause?.code === '57014';
  if (!isCancelled && !isDeadlock(error)) return error;
  return new ApiError('OVERLOADED', { cause, retryAfterSeconds: 5 });
}

/**
 * As `directWriter`, each statement in its turn among the writes of the account. `requireAccess` is asked
 * before the first: what was begun is not ended half way.
 */
export function accountWriter(accountId: string, requireAccess?: () => Promise<void>): Writer {
  let hasBegun = false;
  const inTurn = <T>(task: () => Promise<T>) =>
    inWriteTurn(accountId, async () => {
      if (!hasBegun) await requireAccess?.();
      hasBegun = true;
      return task();
    });
  return {
    write: (statement, options) => inTurn(() => directWriter.write(statement, options)),
    writeOnce: (statement) => inTurn(() => directWriter.writeOnce(statement)),
    writeInOrder: (statements) => inTurn(() => directWriter.writeInOrder(statements)),
    afterCommit: directWriter.afterCommit,
  };
}
