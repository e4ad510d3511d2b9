import { DatabaseError, type Pool, type PoolClient } from 'pg';
import { messageOf } from '../../error-parts';
import { log } from '../../logging/log';
import { describeAddress, silenceOf } from '../connections/address';
import { LargeReadError } from '../connections/large-reads';
import { beginReading, openConnections } from '../connections/pool';
import { statementNames } from '../connections/statement-names';
import { runOn } from '../migrations/tables';
import { requireReplica } from './same-database';

/** Where a statement is run. */
export type Source = {
  pool: Pool;
  /** The name under which a connection keeps the statement prepared; empty where it keeps none. */
  nameOf: (statement: string) => string;
  /** How long a heavy statement may take there, where that is less than elsewhere. */
  statementMs?: number;
};

/** A server that reads may go to, as long as it is well. */
type Replica = {
  /** Whether it may be asked. Where it is left out and has rested, it is tried beside the requests. */
  isReady(): boolean;
  /**
   * Runs a read there, and rejects with what that fails with: then it is left out for a while, unless
   * the fault is the statement's own. Whoever waits for it meanwhile is rejected too, at once.
   */
  run<T>(read: (source: Source) => Promise<T>): Promise<T>;
  close(): Promise<void>;
};

/** A replica that reads go to, with whoever waits for an answer of it. */
type InUse = { source: Source; waiting: Set<(error: unknown) => void> };

export type ReplicaOptions = {
  url: string;
  /** Connections. */
  max: number;
  /** The database that it has to be a replica of. */
  primary: () => Pool;
  /** A clock in milliseconds. */
  now?: () => number;
};

/** How long one that failed is left out before it is tried again. */
export const restMs = 5_000;

/**
 * How long it may say nothing, while the primary would answer in a few milliseconds. Requests that are
 * under way as a replica falls silent wait so long, once.
 */
const defaultSilenceMs = 2_000;

/** What an address leads to may change: connections are made anew, and checked, this often. */
const lifetimeSeconds = 300;

/**
 * Connects on first use, beside the requests: nobody waits for a replica that is not known to be one,
 * or was lost. Each of its connections is checked before it is used.
 */
export function createReplica({
  url,
  max,
  primary,
  now = () => performance.now(),
}: ReplicaOptions): Replica {
  const name = describeAddress(url);
  const nameOf = statementNames(url);
  const silenceMs = silenceOf(url, defaultSilenceMs);
  // It ends by itself before the connection does, which others may want.
  const statementMs = Math.ceil(silenceMs * 0.8);
  let inUse: InUse | undefined;
  let trial: Promise<void> | undefined;
  let restsUntil = Number.NEGATIVE_INFINITY;
  let problem: string | undefined;

  async function check(client: PoolClient): Promise<void> {
    // Else each try would leave a session there, for as long as a lock is held that it waits for.
    await client.query(beginReading(statementMs));
    await requireReplica(runOn(client), runOn(primary()));
    await client.query('COMMIT');
  }

  async function tryToConnect(): Promise<void> {
    const connections = openConnections(url, max, {
      silenceMs,
      connectionTimeoutMs: silenceMs,
      // The primary answers meanwhile, and a standby that stops replaying keeps a lock for hours.
      waitsForLocks: false,
      lifetimeSeconds,
      check,
    });
    try {
      (await connections.pool.connect()).release();
      const source = { pool: connections.pool, nameOf, statementMs };
      inUse = { source, waiting: new Set() };
      problem = undefined;
      log().info({ replica: name }, 'reads go to the replica');
    } catch (error) {
      leaveOut(connections.pool, error);
    }
  }

  function leaveOut(pool: Pool, error: unknown): void {
    for (const reject of inUse?.waiting ?? []) reject(error);
    inUse = undefined;
    restsUntil = now() + restMs;
    void pool.end();
    const said = messageOf(error);
    if (said !== problem) log().warn({ replica: name, err: error }, 'replica left out');
    problem = said;
  }

  return {
    isReady() {
      if (inUse) return true;
      if (!trial && now() >= restsUntil) {
        trial = tryToConnect().finally(() => {
          trial = undefined;
        });
      }
      return false;
    },
    run: (read) =>
      new Promise((resolve, reject) => {
        if (!inUse) return reject(new Error('The replica is left out'));
        const asked = inUse;
        asked.waiting.add(reject);
        read(asked.source)
          .finally(() => asked.waiting.delete(reject))
          .then(resolve, (error) => {
            reject(error);
            // What was under way as it was left out has nothing new to say.
            if (inUse === asked && !isStatementsOwn(error)) leaveOut(asked.source.pool, error);
          });
      }),
    async close() {
      await trial;
      const closing = inUse?.source.pool;
      inUse = undefined;
      await closing?.end();
    },
  };
}

/**
 * A value that the server refuses, a limit of its own, a statement that was cancelled: by a conflict
 * with what the replica has to catch up with, or for its length. The next may well be answered.
 */
function isStatementsOwn(error: unknown): boolean {
  if (error instanceof LargeReadError) return true;
  return error instanceof DatabaseError && /^(22|40|54|57014)/.test(error.code ?? '');
}
