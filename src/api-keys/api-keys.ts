import { ApiError } from '../api/errors';
import { database } from '../database/client';
import type { ApiKey as Row } from '../database/generated/client';
import { digestKey, generateKey, hintOf } from './key';
import { type ApiKey, type ApiKeyChanges, type CreateApiKeyInput, scope } from './schema';

/** Every key of the account, newest first. */
export async function listApiKeys(accountId: string): Promise<ApiKey[]> {
  const rows = await database().apiKey.findMany({
    where: { userId: accountId },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  });
  return rows.map(toWire);
}

/**
 * Makes a key. The answer is the only place where the key itself ever appears.
 * @throws ApiError API_KEY_DISABLED on the free plan (contract, section 5.8)
 */
export async function createApiKey(
  accountId: string,
  input: CreateApiKeyInput,
): Promise<ApiKey & { key: string }> {
  const account = await database().user.findUniqueOrThrow({
    where: { id: accountId },
    select: { plan: true },
  });
  if (account.plan === 'free') throw new ApiError('API_KEY_DISABLED', { message: freePlanMessage });
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

/** Revokes the key at once. @throws ApiError API_KEY_NOT_FOUND */
export async function deleteApiKey(accountId: string, id: string): Promise<void> {
  const { count } = await database().apiKey.deleteMany({ where: { id, userId: accountId } });
  if (count === 0) notFound();
}

export const freePlanMessage =
  'The API is part of the paid plan, and this account is on the free plan.';

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
