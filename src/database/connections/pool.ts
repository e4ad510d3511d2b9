import { type DatabaseError, Pool, type PoolClient, type PoolConfig } from 'pg';
import { tellOnceASecond } from '../../logging/lasting-failure';
import { log } from '../../logging/log';
import { applicationName } from '../embedded/session';
import { silenceOf } from './address';
import {
  allowSilence,
  Connection,
  type ConnectionConfig,
  defaultSilenceMs,
  isConnectionLost,
} from './connection';
import { againAfterDeadlock } from './deadlocks';
import { isWaitingForLock } from './lock-waits';
import { keepTrace } from './traced-statement';

/**
 * Begins a transaction of several statements. The server ends one that hears nothing for long: where
 * its host is gone, or the way to it, it would else keep its locks for as long as TCP believes in the
 * connection, two hours by default, and with them every later write of the account.
 */
export const beginBounded = `BEGIN; SET LOCAL idle_in_transaction_session_timeout = '30s'`;

/**
 * Begins a transaction of reads of which the server itself ends each statement after so many milliseconds.
 * Not for the session, which a pooler may share out. The embedded database knows no such limit.
 */
export function beginReading(statementMs: number): string {
  return `BEGIN READ ONLY; SET LOCAL statement_timeout = ${statementMs}`;
}

/** What a server answers to a write that takes none. */
const readOnlyCode = '25006';

/** How long a request waits for a free connection before it fails with an internal error. */
const connectionTimeoutMs = 10_000;

/** How long a connection may rest in the pool. */
export const idleTimeoutMs = 10_000;

/** How long a statement may take whose work grows with what an account has stored. */
export const longSilenceMs = 600_000;

/** The connections to one database, which are replaced when they are lost. */
export type Connections = {
  /** A statement of `query` is run again where it was ended for a deadlock. */
  pool: Pool;
  /**
   * Runs what only reads, and once more on a fresh connection where the first was cut. Never for a
   * write: it may have been done.
   */
  repeatable<T>(read: () => Promise<T>): Promise<T>;
  /** Gives the statements of a connection the time of long ones, until it is given back. */
  allowLong(client: PoolClient): void;
  /**
   * A connection in a transaction, which is committed once `work` is done, else undone. Where it was
   * ended for a deadlock, `work` is done again.
   */
  transaction<T>(work: (client: PoolClient) => Promise<T>): Promise<T>;
  /** The same, whose statements are given the time of long ones. */
  longTransaction<T>(work: (client: PoolClient) => Promise<T>): Promise<T>;
};

/** For connections that are not those of `database()`, to replicas. */
type ConnectionOptions = {
  silenceMs?: number;
  connectionTimeoutMs?: number;
  /** Whether one that is silent as it waits for a lock is waited for; true unless given. */
  waitsForLocks?: boolean;
  /** After so long a connection is replaced, once it rests. */
  lifetimeSeconds?: number;
  /** Every new connection is given to it first, and not used where it rejects. */
  check?: (client: PoolClient) => Promise<void>;
};

/** Connects on first use. */
export function openConnections(
  url: string,
  max: number,
  options: ConnectionOptions = {},
): Connections {
  const { silenceMs = silenceOf(url, defaultSilenceMs), waitsForLocks = true, check } = options;
  const idle = new Set<Connection>();
  const busy = new Set<Connection>();
  const suspects = new WeakSet<Connection>();
  const config: ConnectionConfig & PoolConfig = {
    connectionString: url,
    application_name: applicationName,
    Client: Connection,
    silenceMs,
    isWaiting: waitsForLocks ? (session) => isWaitingForLock(url, session) : undefined,
    max,
    connectionTimeoutMillis: options.connectionTimeoutMs ?? connectionTimeoutMs,
    idleTimeoutMillis: idleTimeoutMs,
    maxLifetimeSeconds: options.lifetimeSeconds,
    verify: check && ((client, done) => void check(client).then(() => done(), done)),
  };
  const pool = new Pool(config);
  keepTrace(pool);
  repeatDeadlocked(pool);

  /**
   * Where one connection was cut, the others that are open may be as dead: those at rest are ended
   * now, those at work as soon as they rest. What asks from now on is given new ones.
   */
  function distrustAll(): void {
    for (const client of busy) suspects.add(client);
    const resting = [...idle];
    idle.clear();
    for (const client of resting) {
      // The pool lets go of it within this call; of a socket that is closed it would hear too late.
      client.emit('error', new Error('Another connection was cut'));
      client.connection.stream.destroy();
    }
  }

  function allowLong(client: PoolClient): void {
    if (client instanceof Connection) allowSilence(client, Math.max(silenceMs, longSilenceMs));
  }

  const transaction = <T>(work: (client: PoolClient) => Promise<T>) =>
    againAfterDeadlock(() =>
      onConnection(pool, async (client) => {
        await client.query(beginBounded);
        const result = await work(client);
        await client.query('COMMIT');
        return result;
      }),
    );

  pool.on('connect', (client) => {
    client.on('error', distrustAll);
    // Its server may be the primary no more, also where the transaction can be undone and it go on.
    client.connection.on('errorMessage', ({ code }: DatabaseError) => {
      if (code === readOnlyCode && client instanceof Connection) suspects.add(client);
    });
  });
  pool.on('acquire', (client) => {
    if (!(client instanceof Connection)) return;
    idle.delete(client);
    busy.add(client);
    allowSilence(client, silenceMs);
  });
  pool.on('release', (_error, client) => {
    if (!(client instanceof Connection)) return;
    busy.delete(client);
    idle.add(client);
    // Longer than it may rest, so that the goodbye is bounded as well.
    allowSilence(client, idleTimeoutMs + silenceMs);
    // The pool keeps none that is about to end.
    if (suspects.has(client)) void client.end();
  });
  pool.on('remove', (client) => {
    if (client instanceof Connection) idle.delete(client);
  });
  // Without a listener, a lost connection would end the process. The pool replaces it.
  pool.on('error', (error) => tellLost(error, 'idle database connection lost'));

  return {
    pool,
    repeatable: async (read) => {
      try {
        return await read();
      } catch (error) {
        if (!isConnectionLost(error)) throw error;
        tellLost(error, 'database connection lost, reading again');
        distrustAll();
        return read();
      }
    },
    allowLong,
    transaction,
    longTransaction: (work) =>
      transaction((client) => {
        allowLong(client);
        return work(client);
      }),
  };
}

/**
 * Gives `work` a connection, which is closed where it fails: without it, nothing of a transaction stays.
 */
export async function onConnection<T>(
  pool: Pool,
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  try {
    const result = await work(client);
    client.release();
    return result;
  } catch (error) {
    client.release(true);
    throw error;
  }
}

/** While a server or a pooler refuses everybody, every request loses one. */
export function tellLost(error: unknown, what: string): void {
  tellOnceASecond(what, (times) => log().warn({ err: error, ...(times > 1 && { times }) }, what));
}

/** Has each statement that is a transaction of its own run again after a deadlock. */
function repeatDeadlocked(pool: Pool): void {
  const { query } = pool;
  Object.defineProperty(pool, 'query', {
    value: (...parameters: unknown[]) => {
      const run = () => Reflect.apply(query, pool, parameters);
      return typeof parameters.at(-1) === 'function' ? run() : againAfterDeadlock(run);
    },
  });
}
