import type { Actor } from '../audit/actor';
import { noteChanges } from '../audit/note';
import { Prisma } from '../database/generated/client';
import { subject } from './endpoints';
import { turns } from './turns';

/**
 * Expressions of a WITH that pause every endpoint of the accounts whose ids the expression `from` has,
 * trusted text, and tell who did it.
 */
export function allEndpointsPaused(from: string, actor: Actor): Prisma.Sql {
  return Prisma.sql`endpoints_on AS (
      SELECT id FROM webhook_endpoints
      WHERE enabled AND user_id IN (SELECT id FROM ${Prisma.raw(from)}) ORDER BY id
    ),
    ${turns('endpoints_on')},
    endpoints_paused AS (
      UPDATE webhook_endpoints SET enabled = false, updated_at = clock_timestamp()
      WHERE id IN (SELECT id FROM turn) RETURNING *
    ),
    endpoints_told AS (${noteChanges(
      actor,
      Prisma.sql`
        SELECT ${subject('endpoints_paused')}, 'paused' AS action, '{}'::json AS changes
        FROM endpoints_paused`,
    )})`;
}
