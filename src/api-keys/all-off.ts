import type { Actor } from '../audit/actor';
import { noteAction } from '../audit/note';
import { Prisma } from '../database/generated/client';
import { lockedKeys } from './api-keys';

/**
 * Expressions of a WITH that switch off every key of the accounts whose ids the expression `accounts` has,
 * trusted text, and tell who did it.
 */
export function allKeysOff(accounts: string, actor: Actor): Prisma.Sql {
  return Prisma.sql`locked_keys AS MATERIALIZED (${lockedKeys(accounts)}),
    keys_off AS (
      UPDATE api_keys SET enabled = false
      WHERE enabled AND id IN (SELECT id FROM locked_keys) RETURNING *
    ),
    keys_told AS (${noteAction(actor, 'switched_off', 'api_key', 'keys_off')})`;
}
