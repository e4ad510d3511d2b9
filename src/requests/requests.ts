import { ApiError, type ErrorCode, errorTable } from '../api/errors';
import { Prisma } from '../database/generated/client';
import { readLog } from '../database/read-heavy';
import { readRows } from '../database/read-rows';
import { atOrAfter, wireInstants } from '../database/sql/instants';
import { behind, logPage } from '../database/sql/log-cursor';
import type { Mode } from '../mode';
import { apiRequestLimit } from '../rate-limit/limits';
import { requestLogLimits } from './limits';
import {
  type Detail,
  detail,
  type KeyChoices,
  type ListRequestsInput,
  type LoggedRequest,
  type RequestPage,
  type RequestWithDetail,
  type Volume,
} from './schema';

/**
 * Of so many rows the hours are counted, which takes a fraction of a second. An account has some 170,000
 * at the usual limit.
 */
const countedRows = 250_000;

/** What a filter offers; whoever has more of them finds the others by address. */
const offeredKeys = 200;

type Row = Omit<LoggedRequest, 'reason'> & { detail: unknown };

const columns = Prisma.sql`r.id, ${wireInstants('r', 'received_at')},
  r.status, r.count, r.method, r.route, r.path, round(r.duration_ms::numeric, 1)::float8 AS duration_ms,
  r.key_id, key.name AS key_name, key.hint AS key_hint, r.code, r.detail`;

/** A row whose key was deleted has none here, and is there all the same. */
const withKey = Prisma.sql`LEFT JOIN api_keys key ON key.id = r.key_id AND key.user_id = r.user_id`;

/** Of the account, and not older than the log says it keeps: a day goes as a whole. */
function ofAccount(accountId: string): Prisma.Sql {
  return Prisma.sql`r.user_id = ${accountId}::uuid
    AND r.received_at > now() - make_interval(days => ${requestLogLimits.days}::int)`;
}

/** One page of the account's requests, newest first. */
export async function listRequests(
  accountId: string,
  input: ListRequestsInput,
): Promise<RequestPage> {
  const rows = await readLog<Row>(Prisma.sql`
    SELECT ${columns} FROM (
      SELECT * FROM request_log r WHERE ${matching(accountId, input)}
      ORDER BY r.received_at DESC, r.id DESC LIMIT ${input.limit + 1}
    ) r ${withKey}
    ORDER BY r.received_at DESC, r.id DESC`);
  return logPage(rows.map(toWire), input.limit, ({ received_at }) => received_at);
}

/** The request of an answer, by its `X-Request-Id`. @throws ApiError REQUEST_NOT_FOUND */
export async function getRequest(accountId: string, id: string): Promise<RequestWithDetail> {
  const [row] = await readLog<Row>(Prisma.sql`
    SELECT ${columns} FROM request_log r ${withKey}
    WHERE ${ofAccount(accountId)} AND r.id = ${id}::uuid LIMIT 1`);
  if (!row) throw new ApiError('REQUEST_NOT_FOUND');
  const known = detailOf(row.detail);
  const { query = [], body = null, problems = [], more_problems = 0, is_cut = false } = known;
  return { ...toWire(row), query, body, problems, more_problems, is_cut };
}

/** The keys to filter by, the last used first. */
export function listKeys(accountId: string): Promise<KeyChoices> {
  return readRows(Prisma.sql`
    SELECT id, name, hint FROM api_keys WHERE user_id = ${accountId}::uuid
    ORDER BY last_used_at DESC NULLS LAST, created_at DESC, id LIMIT ${offeredKeys}`);
}

/** The account's requests by the hour, up to now; of more than `mostRows` the newest. */
export async function readVolume(
  accountId: string,
  { hours }: { hours: number },
  mode: Mode,
  mostRows = countedRows,
): Promise<Volume> {
  const rows = await readLog<Volume['hours'][number] & { rows: number }>(Prisma.sql`
    WITH hour AS (
      SELECT date_trunc('hour', now(), 'UTC') - make_interval(hours => n) AS hour_at
      FROM generate_series(0, ${hours - 1}::int) n
    ),
    counted AS MATERIALIZED (
      SELECT r.received_at, r.status, r.count FROM request_log r
      WHERE ${ofAccount(accountId)} AND r.received_at >= (SELECT min(hour_at) FROM hour)
      ORDER BY r.received_at DESC LIMIT ${mostRows}
    ),
    total AS (
      SELECT date_trunc('hour', received_at, 'UTC') AS hour_at, count(*) AS rows,
        sum(count) FILTER (WHERE status < 400) AS succeeded,
        sum(count) FILTER (WHERE status BETWEEN 400 AND 499) AS refused,
        sum(count) FILTER (WHERE status >= 500) AS failed
      FROM counted GROUP BY 1
    )
    SELECT ${wireInstants('hour', 'hour_at')},
      coalesce(total.succeeded, 0)::float8 AS succeeded,
      coalesce(total.refused, 0)::float8 AS refused,
      coalesce(total.failed, 0)::float8 AS failed,
      coalesce(total.rows, 0)::float8 AS rows
    FROM hour LEFT JOIN total USING (hour_at) ORDER BY hour.hour_at`);
  const read = rows.reduce((sum, row) => sum + row.rows, 0);
  return {
    limit: apiRequestLimit(mode).requests,
    hours: rows.map(({ rows: _, ...hour }) => hour),
    is_partial: read >= mostRows,
  };
}

function matching(accountId: string, input: ListRequestsInput): Prisma.Sql {
  const conditions = [ofAccount(accountId)];
  if (input.status) {
    const first = Number(input.status.slice(0, 1)) * 100;
    conditions.push(Prisma.sql`r.status BETWEEN ${first} AND ${first + 99}`);
  }
  if (input.operation) {
    const [method, route] = input.operation.split(' ');
    conditions.push(Prisma.sql`r.method = ${method} AND r.route = ${route}`);
  }
  if (input.key_id) conditions.push(Prisma.sql`r.key_id = ${input.key_id}::uuid`);
  if (input.last_hours) {
    conditions.push(
      Prisma.sql`r.received_at > now() - make_interval(hours => ${input.last_hours}::int)`,
    );
  }
  if (input.from) conditions.push(atOrAfter(Prisma.sql`r.received_at`, input.from));
  if (input.to) conditions.push(Prisma.sql`NOT ${atOrAfter(Prisma.sql`r.received_at`, input.to)}`);
  if (input.cursor) {
    conditions.push(behind(input.cursor, Prisma.sql`r.received_at`, Prisma.sql`r.id`));
  }
  return Prisma.join(conditions, ' AND ');
}

function toWire({ detail: stored, ...row }: Row): LoggedRequest {
  return { ...row, reason: reasonOf(row.code, detailOf(stored)) };
}

/** Checked, since another version may have written it. */
function detailOf(stored: unknown): Detail {
  return detail.safeParse(stored ?? {}).data ?? {};
}

/** The first thing that was wrong, else what the answer said. */
function reasonOf(
  code: string | null,
  { problems = [], more_problems = 0, message }: Detail,
): string | null {
  const [first, ...others] = problems;
  if (first) {
    const count = others.length + more_problems;
    const more = count > 0 ? ` (and ${count} more)` : '';
    return `${first.path && `${first.path}: `}${first.message}${more}`;
  }
  return message ?? (isErrorCode(code) ? errorTable[code].message : code);
}

function isErrorCode(code: string | null): code is ErrorCode {
  return code !== null && Object.hasOwn(errorTable, code);
}
