import { type Client, DatabaseError } from 'pg';
import { beginBounded } from '../connections/pool';
import { MigrationError } from './errors';

/** The advisory lock that Prisma's engine takes too. */
const migrationLock = 72_707_369;
const lockTimeoutSeconds = 60;

/**
 * Where this process is gone, its session is to go as well. By itself it would wait on for a lock, as long
 * as somebody holds that, and behind it everybody who wants to read or write the table, the next start
 * among them. Not every server can look.
 */
const endUnheard = `
  DO $$ BEGIN
    SET LOCAL client_connection_check_interval = '2s';
  EXCEPTION WHEN OTHERS THEN NULL;
  END $$`;

/** Begins a transaction that sees what others did before, and has the time that a large table takes. */
export async function beginMigration(client: Client): Promise<void> {
  await client.query(beginBounded);
  await client.query(
    `SET TRANSACTION ISOLATION LEVEL READ COMMITTED; SET LOCAL statement_timeout = 0;
     SET LOCAL lock_timeout = '${lockTimeoutSeconds}s'; ${endUnheard}`,
  );
}

/**
 * Waits until no other process migrates; the turn ends with the transaction.
 * @throws MigrationError after a minute
 */
export async function takeTurn(client: Client): Promise<void> {
  try {
    await client.query(`SELECT pg_advisory_xact_lock(${migrationLock})`);
  } catch (error) {
    if (error instanceof DatabaseError && error.code === '55P03') {
      throw new MigrationError(
        `Another process has been migrating this database for ${lockTimeoutSeconds} seconds. ` +
          'Start again when it is done.',
      );
    }
    throw error;
  }
  await client.query('SET LOCAL lock_timeout TO DEFAULT');
}
