import { pool, statementName } from '../database/client';
import { Prisma } from '../database/generated/client';
import { isRefused } from '../database/refused';
import { codeOf } from '../error-parts';
import { tellOnceAMinute } from '../logging/lasting-failure';
import { log } from '../logging/log';
import { makeDays } from './days';
import type { Entry } from './entry';
import { requestLogLimits } from './limits';

/**
 * Writes entries, each once, also where it is called again for those of which nobody knows whether
 * they were written. Past Prisma, which would convert every value. One that the database will not have
 * is left out, so that it keeps no other back.
 * @throws Error where the database cannot be reached
 */
export async function writeEntries(entries: Entry[]): Promise<void> {
  try {
    await insert(entries);
  } catch (error) {
    if (!isRefused(error)) throw error;
    if (entries.length === 1) {
      tellOnceAMinute('requests that are refused', (times) => {
        const line = { err: error, requestId: entries[0]?.id, times };
        log().error(line, 'a request could not be logged');
      });
      return;
    }
    const half = Math.ceil(entries.length / 2);
    await writeEntries(entries.slice(0, half));
    await writeEntries(entries.slice(half));
  }
}

async function insert(entries: Entry[]): Promise<void> {
  const statement = insertStatement(entries);
  try {
    await pool().query(statement);
  } catch (error) {
    // Also what a row without a partition for its day is refused with.
    if (codeOf(error) !== '23514') throw error;
    await makeDays();
    await pool().query(statement);
  }
}

/** By the columns and not by the rows, so that the statement is the same for any number. */
function insertStatement(entries: Entry[]) {
  const of = <T>(value: (request: NonNullable<Entry['request']>) => T) =>
    entries.map(({ request }) => request && value(request));
  const { days, daysAhead } = requestLogLimits;
  // An instant of a clock that is far off is moved to a day that has a partition.
  const { text, values } = Prisma.sql`
    INSERT INTO request_log (user_id, received_at, id, status, count, key_id, method, route, path,
      duration_ms, code, detail)
    SELECT user_id,
      least(greatest(to_timestamp(received_at / 1000), now() - make_interval(days => ${days}::int)),
        now() + make_interval(days => ${daysAhead - 1}::int)),
      id, status, count, key_id, method, route, path, duration_ms, code, detail
    FROM unnest(${entries.map((entry) => entry.accountId)}::uuid[],
      ${entries.map((entry) => entry.receivedAt)}::float8[],
      ${entries.map((entry) => entry.id)}::uuid[],
      ${entries.map((entry) => entry.status)}::smallint[],
      ${entries.map((entry) => entry.count)}::integer[],
      ${of((request) => request.keyId)}::uuid[],
      ${of((request) => request.method)}::text[],
      ${of((request) => request.route)}::text[],
      ${of((request) => request.path)}::text[],
      ${of((request) => request.durationMs)}::real[],
      ${of((request) => request.code)}::text[],
      ${of((request) => request.detail)}::json[])
      AS entry (user_id, received_at, id, status, count, key_id, method, route, path, duration_ms,
        code, detail)
    ON CONFLICT DO NOTHING`;
  return { name: statementName(text), text, values };
}
