import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseError } from 'pg';
import { log } from '../../logging/log';

/** Each time, a second goes by until Postgres looks for a circle. */
const tries = 3;

/**
 * Before the next try: whoever was let go on has to be woken first. Postgres gives a row that is free
 * to whoever asks, also before the one that has waited for it, and there would be the same circle.
 */
const pauseMs = 100;

/**
 * Runs a transaction, or a statement that is one, and again where Postgres has ended it because it
 * waited for others that waited for it: then all of it is undone.
 */
export async function againAfterDeadlock<T>(run: () => Promise<T>): Promise<T> {
  for (let left = tries - 1; left > 0; left -= 1) {
    try {
      return await run();
    } catch (error) {
      if (!isDeadlock(error)) throw error;
      log().warn({ err: error }, 'deadlock, trying again');
      await sleep(pauseMs);
    }
  }
  return run();
}

/** Whether Postgres has ended this one of several that waited for each other in a circle. */
export function isDeadlock(error: unknown): boolean {
  return databaseErrorIn(error)?.code === '40P01';
}

/** The database's error, itself or as the cause: what a procedure throws is wrapped. Undefined for others. */
export function databaseErrorIn(error: unknown): DatabaseError | undefined {
  const cause = error instanceof Error ? error.cause : undefined;
  return [error, cause].find((one) => one instanceof DatabaseError);
}
