import { Prisma } from '../database/generated/client';

/**
 * Expressions of a WITH that end in `turn`: the ids of endpoints, each under an advisory lock until the
 * commit, for which every other statement that changes the endpoint waits. `from` is an expression that
 * has their ids, in the order of the ids, and locks nothing; trusted text.
 *
 * A statement that finds a row changed meanwhile locks the version that it knew and the newest one,
 * one after the other. Two of them, and the key-share lock of whoever writes an event between them,
 * would wait for each other.
 */
function lockEndpoints(from: string): Prisma.Sql {
  return Prisma.raw(`turn AS MATERIALIZED (
      SELECT id FROM (
        SELECT id, pg_advisory_xact_lock(hashtextextended(id::text, 0)) FROM ${from}
      ) taken
    )`);
}

/** The same without a wait: `turn` has those alone that nobody else has locked so. */
export function lockFreeEndpoints(from: string): Prisma.Sql {
  return Prisma.raw(`turn AS MATERIALIZED (
      SELECT id FROM ${from} WHERE pg_try_advisory_xact_lock(hashtextextended(id::text, 0))
    )`);
}

/** As `lockEndpoints`, for every endpoint of the accounts whose ids the expression `accounts` has. */
export function lockAllEndpoints(accounts: string): Prisma.Sql {
  return Prisma.sql`theirs AS (
      SELECT id FROM webhook_endpoints
      WHERE user_id IN (SELECT id FROM ${Prisma.raw(accounts)}) ORDER BY id
    ),
    ${lockEndpoints('theirs')}`;
}

/** The same for one endpoint of an account; without a row where it has none of this id. */
export function lockEndpoint(accountId: string, id: string): Prisma.Sql {
  return Prisma.sql`asked AS MATERIALIZED (
      SELECT id FROM webhook_endpoints WHERE id = ${id}::uuid AND user_id = ${accountId}::uuid
    ),
    ${lockEndpoints('asked')}`;
}
