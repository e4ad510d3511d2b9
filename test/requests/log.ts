import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Scope } from '@/src/api/scopes';
import { createCallerFactory } from '@/src/api/trpc';
import { createApiKey } from '@/src/api-keys/api-keys';
import { commandLine } from '@/src/audit/actor';
import { database } from '@/src/database/client';
import { provideEnv } from '@/src/env';
import { appRouter } from '@/src/router';
import { createAccount } from '../helpers/accounts';
import { type Answer, client } from '../helpers/client';
import { settled } from '../helpers/next-server';

/** For a test file: everything is logged while it runs. */
export function withRequestLog(): void {
  beforeAll(() => provideEnv({ REQUEST_LOG: 'on' }));
  afterAll(() => provideEnv({ REQUEST_LOG: 'off' }));
}

type Row = {
  id: string;
  user_id: string;
  key_id: string | null;
  method: string | null;
  route: string | null;
  path: string | null;
  status: number;
  code: string | null;
  count: number;
  duration_ms: number | null;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into details of every shape
  detail: any;
};

/** What is stored of an account's requests, oldest first. */
export async function rowsOf(accountId: string): Promise<Row[]> {
  await settled();
  return database().$queryRaw<Row[]>`
    SELECT id, user_id, key_id, method, route, path, status, code, count, duration_ms, detail
    FROM request_log WHERE user_id = ${accountId}::uuid ORDER BY received_at, id`;
}

/** The row of an answer; there is one. */
export async function rowOf(accountId: string, answer: Answer): Promise<Row> {
  const id = requestId(answer);
  const rows = (await rowsOf(accountId)).filter((row) => row.id === id);
  expect(rows).toHaveLength(1);
  return z.custom<Row>().parse(rows[0]);
}

export function requestId(answer: Answer): string {
  return answer.headers.get('x-request-id') ?? '';
}

/** The log as a person of the account reads it. */
export function reader(accountId: string) {
  return createCallerFactory(appRouter)({
    principal: { accountId, scopes: [], via: 'session' },
  }).requests;
}

/** A key with its id. */
export async function namedKey(
  accountId: string,
  name = 'Test',
  scopes: Scope[] = ['read', 'write', 'delete'],
) {
  const { id, key, hint } = await createApiKey(accountId, { name, scopes }, commandLine);
  return { id, key, hint };
}

/** A key of an account of its own, and a client that sends it. */
export async function createCaller() {
  const accountId = await createAccount();
  const { id: keyId, key } = await namedKey(accountId);
  return { accountId, keyId, key, api: client(key) };
}

/** Rows of an account, as the log would write them. Returns their ids. */
export async function insertRows(
  accountId: string,
  rows: (Partial<Omit<Row, 'id' | 'user_id'>> & { receivedAt: Date; keyId?: string })[],
): Promise<string[]> {
  const ids = rows.map(() => randomUUID());
  await database().$executeRaw`SELECT make_request_log_days(now(), 8, 3)`;
  for (const [index, row] of rows.entries()) {
    const { receivedAt, status = 200, count = 1, method = 'GET', route = '/spaces' } = row;
    const detail = row.detail ? JSON.stringify(row.detail) : null;
    await database().$executeRaw`
      INSERT INTO request_log (user_id, received_at, id, key_id, status, count, method, route, path,
        duration_ms, code, detail)
      VALUES (${accountId}::uuid, ${receivedAt}, ${ids[index]}::uuid, ${row.keyId ?? null}::uuid,
        ${status}, ${count}, ${method}, ${route}, ${route}, 1.5, ${row.code ?? null}, ${detail}::json)`;
  }
  return ids;
}
