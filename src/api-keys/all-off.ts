import type { Actor } from '../audit/actor';
import { noteChanges } from '../audit/note';
import { Prisma } from '../database/generated/client';
import { subject } from './api-keys';

/**
 * Expressions of a WITH that switch off every key of the accounts whose ids the expression `from` has,
 * trusted text, and tell who did it. In the order in which a closing account deletes them.
 */
export function allKeysOff(from: string, actor: Actor): Prisma.Sql {
  return Prisma.sql`keys_on AS MATERIALIZED (
      SELECT id FROM api_keys
      WHERE enabled AND user_id IN (SELECT id FROM ${Prisma.raw(from)})
      ORDER BY created_at DESC, id DESC FOR UPDATE
    ),
    keys_off AS (
      UPDATE api_keys SET enabled = false WHERE id IN (SELECT id FROM keys_on) RETURNING *
    ),
    keys_told AS (${noteChanges(
      actor,
      Prisma.sql`
        SELECT ${subject('keys_off')}, 'switched_off' AS action, '{}'::json AS changes FROM keys_off`,
    )})`;
}
