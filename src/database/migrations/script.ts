import type { Client } from 'pg';
import { isConnectionLost } from '../connections/connection';
import { againAfterDeadlock, isDeadlock } from '../connections/deadlocks';

/** Why a script failed, and whether nothing of it stays. */
type Failure = { error: unknown; isUndone: boolean };

/**
 * Runs the script of a migration in the transaction that `client` is in, and again where Postgres has
 * ended it for a deadlock, as with another version that still writes. Resolves to why it failed, undefined
 * where it did not.
 * @throws why the connection was cut
 */
export async function runScript(client: Client, script: string): Promise<Failure | undefined> {
  try {
    return await againAfterDeadlock(() => tryScript(client, script));
  } catch (error) {
    if (isDeadlock(error)) return { error, isUndone: true };
    throw error;
  }
}

/** @throws what has ended it where nothing of it stays: a deadlock, or that the connection was cut */
async function tryScript(client: Client, script: string): Promise<Failure | undefined> {
  await client.query('SAVEPOINT before_migration');
  try {
    await client.query(script);
    await client.query('RELEASE SAVEPOINT before_migration');
    return undefined;
  } catch (error) {
    // The server has undone it then, and why it was cut is told by no later statement.
    if (isConnectionLost(error)) throw error;
    const isUndone = await undo(client);
    if (isUndone && isDeadlock(error)) throw error;
    return { error, isUndone };
  }
}

/** Whether nothing of the script stays. */
async function undo(client: Client): Promise<boolean> {
  try {
    await client.query('ROLLBACK TO SAVEPOINT before_migration');
    return true;
  } catch {
    // The script has ended the transaction by a COMMIT or ROLLBACK of its own.
    await client.query('ROLLBACK');
    return false;
  }
}
