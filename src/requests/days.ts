import { hourlyJob } from '../background/hourly';
import { database, longTransaction } from '../database/client';
import { Prisma } from '../database/generated/client';
import { instant } from '../database/sql/instants';
import { codeOf } from '../error-parts';
import { log } from '../logging/log';
import { requestLogLimits } from './limits';

/** The advisory lock of `make_request_log_days`. */
const daysLock = 72_707_370;

/** Makes the days of the log ahead, and drops those that are over. */
export const requestLogDaysJob = hourlyJob('days of the request log', async ({ now }) => {
  await makeDays(now);
  await dropDays(now);
  return false;
});

/** Makes what is missing of the partitions that a row may belong to. May wait for who does the same. */
export async function makeDays(now?: Date): Promise<void> {
  const { days, daysAhead } = requestLogLimits;
  const statement = Prisma.sql`
    SELECT make_request_log_days(${instant(now)}, ${days}::int, ${daysAhead}::int)`;
  await longTransaction((execute) => execute(statement));
}

/**
 * Drops the days of which every row is too old. Each for itself, and where somebody reads the log for
 * long, an hour later: who waits to drop a table keeps everybody from it who comes after. One process
 * at a time, by the lock under which they are made: Postgres fails with an internal error (`XX000`)
 * where one drops a partition that another drops at the same moment.
 */
async function dropDays(now: Date | undefined): Promise<void> {
  const expired = await database().$queryRaw<{ name: string }[]>`
    SELECT child.relname::text AS name
    FROM pg_inherits JOIN pg_class child ON child.oid = inhrelid
    WHERE inhparent = 'request_log'::regclass AND child.relname ~ '^request_log_[0-9]{8}$'
      AND to_date(right(child.relname, 8), 'YYYYMMDD')
        < (${instant(now)} AT TIME ZONE 'UTC')::date - ${requestLogLimits.days}::int
    ORDER BY 1`;
  for (const { name } of expired) {
    try {
      await dropDay(name);
    } catch (error) {
      if (codeOf(error) !== '55P03') throw error;
      log().info({ day: name }, 'a day of the request log is read for long, and goes later');
    }
  }
}

/** @throws an error with the code `55P03` where somebody reads it for long */
async function dropDay(name: string): Promise<void> {
  await longTransaction(async (execute) => {
    await execute(Prisma.sql`SELECT pg_advisory_xact_lock(${daysLock})`);
    await execute(Prisma.sql`SET LOCAL lock_timeout = '1s'`);
    return execute(Prisma.raw(`DROP TABLE IF EXISTS "${name}"`));
  });
}
