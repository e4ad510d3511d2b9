/**
 * What a Postgres server does in the background and the embedded one, a single process, does not:
 * without it the write-ahead log grows for ever, dead rows stay, and the planner knows no table.
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

const isCheckpointDue = `
  SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn) > ${checkpointAfterBytes} AS is_due
  FROM pg_control_checkpoint()`;

/** Does what is due; takes milliseconds when nothing is. No transaction may be open meanwhile. */
export async function maintain(run: RunStatement): Promise<void> {
  const tables = await run<{ table_name: string }>(tablesDue);
  for (const { table_name } of tables) {
    await run(`VACUUM (ANALYZE) ${table_name}`);
  }
  const [checkpoint] = await run<{ is_due: boolean }>(isCheckpointDue);
  if (checkpoint?.is_due) {
    await run('CHECKPOINT');
  }
}
