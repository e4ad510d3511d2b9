/**
 * What a Postgres server does in the background and the embedded one, a single process, does not:
 * without it the write-ahead log grows for ever, dead rows stay, also in the catalogues, and the
 * planner knows no table.
 */
import type { RunStatement } from './session';

const checkpointAfterBytes = 1024 ** 2;

/** The thresholds at which autovacuum would act on a server with default settings. */
const tablesDue = `
  SELECT format('%I.%I', schemaname, pg_class.relname) AS table_name
  FROM pg_stat_user_tables JOIN pg_class ON pg_class.oid = relid
  WHERE n_dead_tup > 50 + 0.2 * greatest(reltuples, 0)
     OR n_ins_since_vacuum > 1000 + 0.2 * greatest(reltuples, 0)
     OR n_mod_since_analyze > 50 + 0.1 * greatest(reltuples, 0)`;

/** Some ten times what the planner's statistics of all tables take: where they take more, most is dead. */
const swollenStatisticsBytes = 32 * 1024 ** 2;

/**
 * Of the catalogues, whose rows die with each ANALYZE and each day of the log of requests. Those of
 * pg_statistic show in its TOAST table, which is counted for itself.
 */
const cataloguesDue = (statisticsBytes: number) => `
  SELECT DISTINCT format('pg_catalog.%I', catalogue.relname) AS table_name,
    catalogue.relname = 'pg_statistic'
      AND pg_total_relation_size(catalogue.oid) > ${statisticsBytes} AS is_swollen
  FROM pg_stat_sys_tables
    JOIN pg_class part ON part.oid = relid
    JOIN pg_class catalogue ON catalogue.oid = relid OR catalogue.reltoastrelid = relid
  WHERE n_dead_tup > 50 + 0.2 * greatest(part.reltuples, 0)
    AND catalogue.relnamespace = 'pg_catalog'::regnamespace`;

const isCheckpointDue = `
  SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn) > ${checkpointAfterBytes} AS is_due
  FROM pg_control_checkpoint()`;

/** Does what is due; takes milliseconds when nothing is. No transaction may be open meanwhile. */
export async function maintain(
  run: RunStatement,
  { statisticsBytes = swollenStatisticsBytes }: { statisticsBytes?: number } = {},
): Promise<void> {
  const tables = await run<{ table_name: string }>(tablesDue);
  for (const { table_name } of tables) {
    await run(`VACUUM (ANALYZE) ${table_name}`);
  }
  const catalogues = await run<{ table_name: string; is_swollen: boolean }>(
    cataloguesDue(statisticsBytes),
  );
  for (const { table_name, is_swollen } of catalogues) {
    // FULL takes as long as what is alive, VACUUM as what is dead: 20 s for 300 MB, in which all wait.
    await run(`VACUUM ${is_swollen ? '(FULL) ' : ''}${table_name}`);
  }
  const [checkpoint] = await run<{ is_due: boolean }>(isCheckpointDue);
  if (checkpoint?.is_due) {
    await run('CHECKPOINT');
  }
}
