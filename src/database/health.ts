import { log } from '../logging/log';
import { isStopping } from '../stopping';
import { within } from '../time-limit';
import { database } from './client';
import { MigrationError } from './migrations/errors';
import { pendingMigrations } from './migrations/migrate';
import type { RunQuery } from './migrations/tables';

/** Whether an instance can serve, and if not, what it lacks. */
type Reason = 'database' | 'migrations' | 'stopping';
type Health = { status: 'ok' } | { status: 'unavailable'; reason: Reason };

/** A load balancer gives up after a few seconds, so "not known yet" is an answer as well. */
const checkTimeoutMs = 4_000;

/**
 * 200 when the database answers and has every migration, else 503. For load balancers and
 * monitors: it needs no key, and says no more than which of the two is missing.
 */
export async function answerHealth(
  query: RunQuery = (sql) => database().$queryRawUnsafe(sql),
  timeoutMs = checkTimeoutMs,
): Promise<Response> {
  return answer(await checkHealth(query, timeoutMs));
}

/** 200 as long as the process answers at all: to fail this is worth a new start, and nothing less. */
export function answerLive(): Response {
  return answer({ status: 'ok' });
}

/** As `answerHealth`, and 503 too once the process was told to stop: it wants no more requests. */
export async function answerReady(): Promise<Response> {
  return isStopping() ? answer(unavailable('stopping')) : answerHealth();
}

function answer(health: Health): Response {
  return Response.json(health, {
    status: health.status === 'ok' ? 200 : 503,
    headers: { 'Cache-Control': 'no-store' },
  });
}

async function checkHealth(query: RunQuery, timeoutMs: number): Promise<Health> {
  try {
    const pending = await within(timeoutMs, pendingMigrations({ query }), () => {
      throw new Error(`The database did not answer within ${timeoutMs} ms`);
    });
    return pending.length === 0 ? { status: 'ok' } : unavailable('migrations');
  } catch (error) {
    log().warn({ err: error }, 'health check failed');
    return unavailable(error instanceof MigrationError ? 'migrations' : 'database');
  }
}

function unavailable(reason: Reason): Health {
  return { status: 'unavailable', reason };
}
