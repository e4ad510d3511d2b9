import { ApiError } from '../api/errors';
import type { Principal } from '../api/principal';
import { database } from '../database/client';
import { tellOnceAMinute } from '../logging/lasting-failure';
import { log } from '../logging/log';
import { singleton } from '../singleton';
import { freePlanMessage } from './api-keys';
import { digestKey, isKeyShaped } from './key';
import { type KeyRow, readKey } from './lookup';

/** How often `last_used_at` is written at most; the dashboard shows it by the minute. */
const lastUsedResolutionMs = 60_000;

/**
 * After a use that could not be noted none is tried for so long: where the database takes no writes, each
 * read would cost a connection.
 */
const restMs = 5_000;

/** One for the process: where one use cannot be noted, no other can. */
const uses = () => singleton('key-uses', () => ({ restUntil: Number.NEGATIVE_INFINITY }));

/**
 * The principal behind an `Authorization` header: `Bearer ` and the key, or the key alone.
 * `noteUse` writes down that the key was used, where that is due; call it after the answer.
 * Contract, section 5. One indexed read. `onKnown` hears whose key it is, also where it is refused.
 * @throws ApiError UNAUTHORIZED, INVALID_API_KEY, API_KEY_DISABLED, API_KEY_EXPIRED
 */
export async function authenticateApiKey(
  header: string | null | undefined,
  onKnown?: (key: { accountId: string; keyId: string }) => void,
): Promise<{ principal: Principal; noteUse: (() => Promise<void>) | undefined }> {
  const value = header?.trim();
  if (!value) {
    throw new ApiError('UNAUTHORIZED', { details: { header: 'Authorization: Bearer <API_KEY>' } });
  }
  const key = value.replace(/^Bearer +/i, '');
  if (!isKeyShaped(key)) throw new ApiError('INVALID_API_KEY');
  const row = await readKey(digestKey(key));
  if (!row) throw new ApiError('INVALID_API_KEY');
  onKnown?.({ accountId: row.user_id, keyId: row.id });
  if (!row.enabled) throw new ApiError('API_KEY_DISABLED');
  if (row.is_expired) throw new ApiError('API_KEY_EXPIRED');
  if (row.is_free) throw new ApiError('API_KEY_DISABLED', { message: freePlanMessage });
  const isUseDue = row.last_used_age_ms === null || row.last_used_age_ms >= lastUsedResolutionMs;
  return {
    principal: {
      accountId: row.user_id,
      liveAccountId: row.live_user_id ?? undefined,
      scopes: row.scopes,
      via: 'api-key',
      keyId: row.id,
      version: row.version,
      storedBytes: row.stored_bytes,
    },
    noteUse: isUseDue ? () => noteUse(row) : undefined,
  };
}

async function noteUse({ id, user_id }: KeyRow): Promise<void> {
  if (performance.now() < uses().restUntil) return;
  try {
    await database().$executeRaw`
      UPDATE api_keys SET last_used_at = now()
      WHERE id = ${id}::uuid AND user_id = ${user_id}::uuid
        AND (last_used_at IS NULL OR abs(extract(epoch FROM now() - last_used_at)) >= 60)`;
  } catch (error) {
    uses().restUntil = performance.now() + restMs;
    const what = 'the use of a key could not be noted';
    tellOnceAMinute(what, (times) => log().error({ err: error, times }, what));
  }
}
