import { describeAddress } from '../database/connections/address';
import { adviceOfAny } from '../database/connections/advice';
import { Connection, isConnectionLost } from '../database/connections/connection';
import { messageOf } from '../error-parts';

/** What these connections call themselves, so that the embedded database keeps what they set apart. */
const applicationName = 'testimonials copying';

const connectTimeoutMs = 10_000;

/** How long one statement may take: to build an index of a large table. */
export const statementMs = 3_600_000;

/** For how long somebody else may keep a table from being locked or changed. */
const lockTimeoutSeconds = 30;

/** So that both sides write a value in the same way, and read what the other has written. */
const textFormat = [
  `SET LOCAL TimeZone = 'UTC'`,
  `SET LOCAL DateStyle = 'ISO, MDY'`,
  `SET LOCAL IntervalStyle = 'postgres'`,
  `SET LOCAL bytea_output = 'hex'`,
  `SET LOCAL extra_float_digits = 1`,
  'SET LOCAL statement_timeout = 0',
  'SET LOCAL idle_in_transaction_session_timeout = 0',
  `SET LOCAL lock_timeout = '${lockTimeoutSeconds}s'`,
].join('; ');

/**
 * @throws Error where the database cannot be reached, that says what to do; the address in it is
 * without a password
 */
export async function connect(url: string): Promise<Connection> {
  const client = new Connection({
    connectionString: url,
    application_name: applicationName,
    connectionTimeoutMillis: connectTimeoutMs,
    silenceMs: statementMs,
  });
  try {
    await client.connect();
  } catch (error) {
    throw new Error(
      `The database ${describeAddress(url)} cannot be used: ${messageOf(error)}. ${adviceOfAny(error)}`,
      { cause: error },
    );
  }
  return client;
}

/**
 * Gives `use` a connection to the database, for that long.
 * @throws Error also where it is cut: the message says of which database, and what to do
 */
export async function withClient<T>(
  url: string,
  use: (client: Connection) => Promise<T>,
): Promise<T> {
  const client = await connect(url);
  let cut: unknown;
  client.once('error', (error) => {
    cut = error;
  });
  try {
    return await use(client);
  } catch (error) {
    if (!isConnectionLost(error) || !(await isCut(client))) throw error;
    throw new Error(
      `The connection to the database ${describeAddress(url)} was lost: ${messageOf(cut ?? error)}. ` +
        'Once it can be reached, run the same command again.',
      { cause: error },
    );
  } finally {
    await client.end();
  }
}

/** Another connection, whose rows were under way, may be the one that was lost. */
function isCut(client: Connection): Promise<boolean> {
  return client.query('SELECT 1').then(() => false, isConnectionLost);
}

/** Begins a transaction; what the text of its rows depends on is set for as long as it lasts. */
export async function begin(client: Connection, mode = ''): Promise<void> {
  await client.query(`BEGIN ${mode}; ${textFormat}`);
}

/** Commits what `work` does, or undoes it. */
export async function inTransaction<T>(client: Connection, work: () => Promise<T>): Promise<T> {
  await begin(client);
  try {
    const result = await work();
    await client.query('COMMIT');
    return result;
  } catch (error) {
    // On a connection that is lost this fails as well; the first error is the one to report.
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}
