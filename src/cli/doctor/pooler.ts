import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { isPooled } from '../../database/connections/address';
import { databaseAdvice } from '../../database/connections/advice';
import type { Connection } from '../../database/connections/connection';
import { messageOf } from '../../error-parts';
import { connectionTo } from './connection-to';
import { bad, type Finding } from './finding';

const about = 'database';

/** Of two servers that are given out alike, this many sessions meet but one in a case of 32. */
const sessions = 6;

/** Where they take long there are fewer, or it would look as if nobody answered. */
const begunWithinMs = 5_000;

const standbyRows = z.tuple([z.object({ standby: z.string().nullable() })]);

/**
 * Whether what the service sends arrives as it means it, where something stands before the server: its
 * transactions, its prepared statements where the address does not say `pgbouncer=true`, and its reads at
 * the primary. Nothing is said of a database that is not reached at all.
 */
export async function lookAtPooler(url: string, withinMs = begunWithinMs): Promise<Finding[]> {
  // The same in all sessions, as the service's own are, and of this look alone.
  const name = isPooled(url) ? '' : `doctor${randomUUID()}`;
  const states = new Set<string | null>();
  const endAt = performance.now() + withinMs;
  for (let session = 0; session < sessions && performance.now() < endAt; session++) {
    const client = connectionTo(url);
    try {
      await client.connect();
    } catch {
      return [];
    }
    try {
      states.add(await ask(client, name));
    } catch (error) {
      return [
        bad(about, `what the service does fails: ${messageOf(error)}`, databaseAdvice(error)),
      ];
    } finally {
      await client.end();
    }
  }
  return states.size > 1 ? [readsOfStandby] : [];
}

/** Whether the session is at a standby, asked as the service reads; null where the server is too old to say. */
async function ask(client: Connection, name: string): Promise<string | null> {
  const text = `SELECT current_setting('in_hot_standby', true) AS standby`;
  // Twice: the second needs what the first has left with the server.
  await client.query({ name, text });
  const { rows } = await client.query({ name, text });
  await client.query('BEGIN');
  await client.query('ROLLBACK');
  return standbyRows.parse(rows)[0].standby;
}

const readsOfStandby = bad(
  about,
  'some sessions read from a standby: what was just written may be missing in answers',
  'Have DATABASE_URL lead to the primary alone (at pgpool, load_balance_mode = off), and name standbys in ' +
    'DATABASE_READ_URLS.',
);
