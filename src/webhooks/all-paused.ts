import type { Actor } from '../audit/actor';
import { noteAction } from '../audit/note';
import { Prisma } from '../database/generated/client';
import { lockAllEndpoints } from './endpoint-locks';

/**
 * Expressions of a WITH that pause every endpoint of the accounts whose ids the expression `accounts`
 * has, trusted text, and tell who did it.
 */
export function allEndpointsPaused(accounts: string, actor: Actor): Prisma.Sql {
  return Prisma.sql`${lockAllEndpoints(accounts)},
    endpoints_paused AS (
      UPDATE webhook_endpoints SET enabled = false, updated_at = clock_timestamp()
      WHERE enabled AND id IN (SELECT id FROM turn) RETURNING *
    ),
    endpoints_told AS (
      ${noteAction(actor, 'paused', 'webhook_endpoint', 'endpoints_paused')}
    )`;
}
