import type { Scope } from '../api/scopes';
import { Prisma } from '../database/generated/client';
import { readRows } from '../database/read-rows';
import { singleton } from '../singleton';

/** A stored key, with what its account says about it. */
export type KeyRow = {
  digest: string;
  id: string;
  user_id: string;
  /** Of a test account: the account it belongs to. */
  live_user_id: string | null;
  version: string;
  stored_bytes: number;
  scopes: Scope[];
  enabled: boolean;
  is_expired: boolean;
  is_free: boolean;
  /** Also of a use that is yet to come, by a clock that was ahead. */
  last_used_age_ms: number | null;
};

type Lookup = {
  digest: string;
  resolve: (row: KeyRow | undefined) => void;
  reject: (error: unknown) => void;
};

/**
 * The key with the digest, as it is now: the lookup begins after the call. Calls of the same turn of
 * the event loop share one statement, which under load is most of what a cached answer costs.
 */
export function readKey(digest: string): Promise<KeyRow | undefined> {
  const { waiting } = singleton('key-lookups', () => ({ waiting: [] as Lookup[] }));
  return new Promise((resolve, reject) => {
    if (waiting.length === 0) setImmediate(() => readKeys(waiting.splice(0)));
    waiting.push({ digest, resolve, reject });
  });
}

async function readKeys(lookups: Lookup[]): Promise<void> {
  const digests = [...new Set(lookups.map(({ digest }) => digest))];
  try {
    const rows = await readRows<KeyRow>(Prisma.sql`
      SELECT k.digest, k.id, k.user_id, u.live_user_id, u.version, u.stored_bytes::float8 AS stored_bytes,
        k.scopes, k.enabled, u.plan = 'free' AS is_free,
        coalesce(k.expires_at <= now(), false) AS is_expired,
        abs(extract(epoch FROM now() - k.last_used_at) * 1000)::float8 AS last_used_age_ms
      FROM api_keys k JOIN users u ON u.id = k.user_id
      WHERE k.digest = ANY (${digests}) AND u.closed_at IS NULL`);
    const byDigest = new Map(rows.map((row) => [row.digest, row]));
    for (const { digest, resolve } of lookups) resolve(byDigest.get(digest));
  } catch (error) {
    for (const { reject } of lookups) reject(error);
  }
}
