import { z } from 'zod';
import { migrationsTable, type RunQuery } from '../migrations/tables';

/** Why an address is not that of a replica of ours. */
export class NotAReplicaError extends Error {
  override name = 'NotAReplicaError';
}

const factsSchema = z.tuple([
  z.object({ is_standby: z.boolean(), identity: z.string(), migrations: z.number() }),
]);

/**
 * A standby has every number of these in common with its primary, and no copy of its rows has: the
 * number of the cluster, made at random as it was set up, and those that it has given to the database
 * and to the tables that are read.
 *
 * The last column is for whoever may not read these, and for a standby that has stopped replaying in
 * the midst of what locks one: asked for its rows, it would say nothing.
 */
const factsQuery = `
  SELECT pg_is_in_recovery() AS is_standby,
    concat_ws('/', (SELECT system_identifier FROM pg_control_system()),
      (SELECT oid FROM pg_database WHERE datname = current_database()),
      to_regclass('users')::oid, to_regclass('spaces')::oid, to_regclass('testimonials')::oid
    ) AS identity,
    (SELECT count(*)::int FROM ${migrationsTable}
      WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL) AS migrations,
    (EXISTS (SELECT FROM users), EXISTS (SELECT FROM spaces), EXISTS (SELECT FROM testimonials),
      EXISTS (SELECT FROM testimonial_counts), EXISTS (SELECT FROM testimonial_texts)
    )::text AS readable`;

/**
 * Resolves where `replica` asks a standby of the database that `primary` asks, which has its migrations.
 * @throws NotAReplicaError, or what the query failed with
 */
export async function requireReplica(replica: RunQuery, primary: RunQuery): Promise<void> {
  // The replica first: a migration that comes in between is one that it does not have.
  const [there] = factsSchema.parse(await replica(factsQuery));
  const [here] = factsSchema.parse(await primary(factsQuery));
  if (!there.is_standby) throw new NotAReplicaError('it is a primary, and no replica');
  if (there.identity !== here.identity) {
    throw new NotAReplicaError('it is a replica of another database than DATABASE_URL names');
  }
  if (there.migrations < here.migrations) {
    throw new NotAReplicaError('it does not have every migration of the primary yet');
  }
}
