import Bowser from 'bowser';
import type { z } from 'zod';
import { database } from '../database/client';
import { Prisma } from '../database/generated/client';
import { instant, wireInstantColumn } from '../database/sql/instants';
import type { session } from './schema';

/** How many are listed at most; who has more ends all others at once. */
const listed = 100;

/** How many an account may have; with one more, the one that was used longest ago ends. */
export const sessionsPerAccount = 1000;

/** Looked at in one statement, whether they have expired. */
export const trimBatch = 1000;

/** Of what a browser says of itself, which may be of any length. */
export const userAgentCharacters = 500;

type Row = Omit<z.infer<typeof session>, 'device'> & { user_agent: string | null };

/** The browsers that are signed in to the account, the one used last in front. Up to 100. */
export async function listSessions(
  accountId: string,
  currentId: string | undefined,
): Promise<z.infer<typeof session>[]> {
  const rows = await database().$queryRaw<Row[]>`
    SELECT id, user_agent, nullif(ip_address, '') AS address,
      ${Prisma.raw(wireInstantColumn('created_at'))} AS created_at,
      ${Prisma.raw(wireInstantColumn('updated_at'))} AS last_seen_at,
      coalesce(id = ${currentId ?? null}::uuid, false) AS is_current
    FROM sessions s WHERE user_id = ${accountId}::uuid AND expires_at > clock_timestamp()
    ORDER BY s.updated_at DESC, id LIMIT ${listed}::int`;
  return rows.map(({ user_agent, ...row }) => ({ ...row, device: describeDevice(user_agent) }));
}

/** Ends one session; nothing happens where the account has no such session. */
export async function endSession(accountId: string, id: string): Promise<void> {
  await database().session.deleteMany({ where: { id, userId: accountId } });
}

/** Ends every session but the current one. Returns how many. */
export async function endOtherSessions(
  accountId: string,
  currentId: string | undefined,
): Promise<number> {
  return database().$executeRaw`
    DELETE FROM sessions WHERE user_id = ${accountId}::uuid
      AND id IS DISTINCT FROM ${currentId ?? null}::uuid`;
}

/** Removes the sessions of an account that have expired, and what is more than it may have. */
export async function trimSessions(accountId: string): Promise<void> {
  // Those that somebody else is about to end are left to them: nobody waits in a circle.
  await database().$executeRaw`
    DELETE FROM sessions WHERE id IN (
      SELECT id FROM sessions WHERE user_id = ${accountId}::uuid AND (
        expires_at <= clock_timestamp() OR id IN (
          SELECT id FROM sessions WHERE user_id = ${accountId}::uuid
          ORDER BY expires_at DESC, id OFFSET ${sessionsPerAccount}::int
        )
      )
      FOR UPDATE SKIP LOCKED
    )`;
}

/**
 * Removes the sessions of all accounts that have expired, in small batches along their ids: there is no
 * index by time, which each use of a session would renew. Where `endAt` came first, returns the id from
 * which the next call is to go on.
 */
export async function trimExpiredSessions(options: {
  endAt: number;
  now?: Date | undefined;
  from?: string | undefined;
}): Promise<string | undefined> {
  const at = instant(options.now);
  let last = options.from;
  while (Date.now() < options.endAt) {
    const behind = last ? Prisma.sql`WHERE id > ${last}::uuid` : Prisma.empty;
    const [batch] = await database().$queryRaw<{ looked: number; last: string }[]>`
      WITH looked AS MATERIALIZED (
        SELECT id, expires_at <= ${at} AS is_over FROM sessions ${behind}
        ORDER BY id LIMIT ${trimBatch}::int
      ),
      -- By arrays: to join what was looked at, all sessions would be read for each batch.
      removed AS (
        DELETE FROM sessions WHERE id = ANY (ARRAY(
          SELECT id FROM sessions
          WHERE id = ANY (ARRAY(SELECT id FROM looked WHERE is_over)) AND expires_at <= ${at}
          FOR UPDATE SKIP LOCKED
        ))
      )
      SELECT count(*)::int AS looked, (array_agg(id ORDER BY id DESC))[1] AS last FROM looked`;
    if (!batch || batch.looked < trimBatch) return undefined;
    last = batch.last;
  }
  return last;
}

/** `Firefox on Windows`, as far as a User-Agent says; it may say anything. */
export function describeDevice(userAgent: string | null): string {
  if (!userAgent) return 'Unknown device';
  const { browser, os } = Bowser.parse(userAgent.slice(0, userAgentCharacters));
  const parts = [browser.name, os.name].filter((name) => name !== undefined && name !== '');
  return parts.length > 0 ? parts.join(' on ') : 'Unknown device';
}
