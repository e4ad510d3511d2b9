import { database } from '@/src/database/client';
import type { Tenant } from '../helpers/accounts';
import type { SendOptions } from '../helpers/client';

/** What sends a request of the account with an `Idempotency-Key`. */
export function withKey(
  tenant: Tenant,
  idempotencyKey: string,
  options: SendOptions = {},
): SendOptions {
  return {
    key: tenant.api.key,
    ...options,
    headers: { 'idempotency-key': idempotencyKey, ...options.headers },
  };
}

/** What an account has stored, as triggers have counted it, and as its rows are read. */
export async function bytesOf({ accountId }: Tenant) {
  const [row] = await database().$queryRaw<{ counted: bigint; read: bigint }[]>`
    SELECT stored_bytes AS counted, stored_bytes_of(id) AS read FROM users
    WHERE id = ${accountId}::uuid`;
  return { counted: Number(row?.counted), read: Number(row?.read) };
}
