import { ApiError } from '../api/errors';
import { wireInstantOf } from '../api/fields';
import { scope } from '../api/scopes';
import { database } from '../database/client';
import { type Plan, Prisma, type ApiKey as Row } from '../database/generated/client';
import { readRows } from '../database/read-rows';
import { wireInstantColumn } from '../database/sql';
import { readRateLimit } from '../rate-limit/counter';
import { apiRequestLimit } from '../rate-limit/limits';
import { digestKey, generateKey, hintOf } from './key';
import type {
  ApiKey,
  ApiKeyChanges,
  ApiUsage,
  CreateApiKeyInput,
  OverlapHours,
  Self,
} from './schema';

/** Every key of the account, newest first. */
export async function listApiKeys(accountId: string): Promise<ApiKey[]> {
  const rows = await database().apiKey.findMany({
    where: { userId: accountId },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  });
  return rows.map(toWire);
}

/** @throws ApiError API_KEY_NOT_FOUND */
export async function getApiKey(accountId: string, id: string): Promise<ApiKey> {
  const row = await database().apiKey.findFirst({ where: { id, userId: accountId } });
  return toWire(row ?? notFound());
}

/**
 * Makes a key. The answer is the only place where the key itself ever appears.
 * @throws ApiError API_KEY_DISABLED on the free plan (contract, section 5.8)
 */
export async function createApiKey(
  accountId: string,
  input: CreateApiKeyInput,
): Promise<ApiKey & { key: string }> {
  await requirePaidPlan(accountId);
  const key = generateKey();
  const row = await database().apiKey.create({
    data: {
      userId: accountId,
      name: input.name,
      digest: digestKey(key),
      hint: hintOf(key),
      scopes: input.scopes,
      expiresAt: input.expires_at ?? null,
    },
  });
  return { ...toWire(row), key };
}

/** The account a key belongs to, for whoever runs the service. @throws ApiError API_KEY_NOT_FOUND */
export async function apiKeyOwner(id: string): Promise<string> {
  const key = await database().apiKey.findUnique({ where: { id }, select: { userId: true } });
  return key?.userId ?? notFound();
}

/** @throws ApiError API_KEY_NOT_FOUND */
export async function updateApiKey(
  accountId: string,
  id: string,
  changes: ApiKeyChanges,
): Promise<ApiKey> {
  const [row] = await database().apiKey.updateManyAndReturn({
    where: { id, userId: accountId },
    data: changes,
  });
  return toWire(row ?? notFound());
}

/**
 * Makes a key to take the place of another: same name, same scopes, and where the old one was made
 * for a time, for as long a time from now. The old one works for `overlapHours` more, or until its
 * own expiry where that is sooner.
 * @throws ApiError API_KEY_NOT_FOUND, API_KEY_DISABLED on the free plan
 */
export async function rotateApiKey(
  accountId: string,
  id: string,
  overlapHours: OverlapHours,
): Promise<ApiKey & { key: string }> {
  await requirePaidPlan(accountId);
  const key = generateKey();
  // One statement, so that there are never two new keys, or an ended old one and no new one.
  const [created] = await database().$queryRaw<{ id: string }[]>`
    WITH old AS (
      SELECT id, user_id, name, scopes, expires_at - created_at AS lifetime
      FROM api_keys WHERE id = ${id}::uuid AND user_id = ${accountId}::uuid
      FOR UPDATE
    ), ended AS (
      UPDATE api_keys
      SET expires_at = least(api_keys.expires_at, now() + make_interval(hours => ${overlapHours}::int))
      FROM old WHERE api_keys.id = old.id
    )
    INSERT INTO api_keys (user_id, name, digest, hint, scopes, expires_at)
    SELECT user_id, name, ${digestKey(key)}, ${hintOf(key)}, scopes, now() + lifetime FROM old
    RETURNING id`;
  return { ...(await getApiKey(accountId, created?.id ?? notFound())), key };
}

/** Revokes the key at once. @throws ApiError API_KEY_NOT_FOUND */
export async function deleteApiKey(accountId: string, id: string): Promise<void> {
  const { count } = await database().apiKey.deleteMany({ where: { id, userId: accountId } });
  if (count === 0) notFound();
}

/** The account's requests in the current window, by all keys together. Contract, section 8. */
export async function getUsage(accountId: string): Promise<ApiUsage> {
  const state = await readRateLimit(accountId);
  if (!state) return { limit: apiRequestLimit().requests, used: 0, reset_at: null };
  const { limit, remaining, resetAt } = state;
  return { limit, used: limit - remaining, reset_at: new Date(resetAt) };
}

/**
 * What the holder of a key may know of it and of its account; counts no request.
 * @throws ApiError INVALID_API_KEY where the key was deleted meanwhile
 */
export async function describeKey(accountId: string, keyId: string): Promise<Self> {
  const [[row], state] = await Promise.all([
    readRows<Self['key'] & { plan: Plan }>(Prisma.sql`
      SELECT u.plan, k.name, k.hint, k.scopes,
        ${Prisma.raw(wireInstantColumn('k.expires_at'))} AS expires_at
      FROM api_keys k JOIN users u ON u.id = k.user_id
      WHERE k.id = ${keyId}::uuid AND k.user_id = ${accountId}::uuid`),
    readRateLimit(accountId),
  ]);
  if (!row) throw new ApiError('INVALID_API_KEY');
  const { plan, ...key } = row;
  const { limit, remaining } = state ?? {
    limit: apiRequestLimit().requests,
    remaining: apiRequestLimit().requests,
  };
  const reset_at = state && wireInstantOf(new Date(state.resetAt));
  return { account_id: accountId, plan, key, rate_limit: { limit, remaining, reset_at } };
}

export const freePlanMessage =
  'The API is part of the paid plan, and this account is on the free plan.';

async function requirePaidPlan(accountId: string): Promise<void> {
  const { plan } = await database().user.findUniqueOrThrow({
    where: { id: accountId },
    select: { plan: true },
  });
  if (plan === 'free') throw new ApiError('API_KEY_DISABLED', { message: freePlanMessage });
}

function notFound(): never {
  throw new ApiError('API_KEY_NOT_FOUND');
}

function toWire(row: Row): ApiKey {
  return {
    id: row.id,
    name: row.name,
    hint: row.hint,
    scopes: scope.array().parse(row.scopes),
    enabled: row.enabled,
    expires_at: row.expiresAt,
    last_used_at: row.lastUsedAt,
    created_at: row.createdAt,
  };
}
