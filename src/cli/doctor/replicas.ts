import { z } from 'zod';
import { describeAddress } from '../../database/connections/address';
import { runOn } from '../../database/migrations/tables';
import { NotAReplicaError, requireReplica } from '../../database/replicas/same-database';
import type { Env } from '../../env';
import { codeOf, reasonOf } from '../../error-parts';
import { connectionTo } from './connection-to';
import { bad, type Check, doubtful, type Finding, well } from './finding';

/** From here on it answers next to nothing of accounts that are written to. */
const doubtfulBytes = 16 * 1024 ** 2;

/** Postgres' code, for a database that is none of ours. */
const undefinedTable = '42P01';

const placeSchema = z.tuple([z.object({ place: z.string() })]);
const behindSchema = z.tuple([z.object({ bytes: z.number() })]);

/** Each of DATABASE_READ_URLS. */
export function replicaChecks({
  DATABASE_URL: primary,
  DATABASE_READ_URLS: urls = [],
}: Env): Check[] {
  if (!primary) return [];
  return urls.map((url) => {
    const about = `replica ${describeAddress(url)}`;
    return { about, look: () => look(about, primary, url) };
  });
}

async function look(about: string, primary: string, url: string): Promise<Finding> {
  const [here, there] = [connectionTo(primary), connectionTo(url)] as const;
  try {
    await here.connect();
    await there.connect();
    await requireReplica(runOn(there), runOn(here));
    const { rows: places } = await here.query('SELECT pg_current_wal_lsn() AS place');
    const [{ place }] = placeSchema.parse(places);
    const { rows: distances } = await there.query(
      `SELECT greatest(pg_wal_lsn_diff('${place}', pg_last_wal_replay_lsn()), 0)::float8 AS bytes`,
    );
    const [{ bytes }] = behindSchema.parse(distances);
    const says = `a standby of the database, ${Math.ceil(bytes / 1024)} kB behind`;
    const mend = 'See whether replication runs; the primary answers what the replica has not yet.';
    return bytes < doubtfulBytes ? well(about, says) : doubtful(about, says, mend);
  } catch (error) {
    const isOther = error instanceof NotAReplicaError;
    const mend =
      isOther || codeOf(error) === undefinedTable
        ? 'Name standbys of DATABASE_URL in DATABASE_READ_URLS.'
        : 'See whether it runs, and the address in DATABASE_READ_URLS. Until then the primary answers.';
    return bad(about, isOther ? error.message : `not asked: ${reasonOf(error)}`, mend);
  } finally {
    await Promise.all([here.end(), there.end()]);
  }
}
