import type { Client } from 'pg';
import { z } from 'zod';
import { idleTimeoutMs, longSilenceMs } from '../../database/connections/pool';
import { bad, doubtful, type Finding } from './finding';

const about = 'database';

/** One and the same for Postgres. In others a write that another has come before is refused. */
const usualIsolation = new Set(['read committed', 'read uncommitted']);

/** As the planner counts: to claim deliveries comes to 2,100, a create to 30. */
const usualCost = 5_000;

type Unsuitable = {
  find: typeof bad;
  /** Whether something does not work with it, by its value in its base unit. */
  isSo(value: string): boolean;
  /** What is the matter, by its value as a person writes it. */
  says(shown: string): string;
  /** What it is to be set to. */
  suitable: string;
};

const isBelow = (bound: number) => (ms: string) => Number(ms) > 0 && Number(ms) < bound;

/** Settings of the server, the database or its user, by name. */
const unsuitable: Record<string, Unsuitable> = {
  default_transaction_isolation: {
    find: bad,
    isSo: (isolation) => !usualIsolation.has(isolation),
    says: (isolation) =>
      `its transactions are ${isolation} unless told otherwise: writes of an account at once fail`,
    suitable: "'read committed'",
  },
  array_nulls: {
    find: bad,
    isSo: (state) => state === 'off',
    says: (state) => `array_nulls is ${state}: the log of requests is not written`,
    suitable: 'on',
  },
  extra_float_digits: {
    find: bad,
    isSo: (digits) => Number(digits) < 0,
    says: (digits) =>
      `extra_float_digits is ${digits}: instants and durations lose their last digits`,
    suitable: '0',
  },
  gin_fuzzy_search_limit: {
    find: bad,
    isSo: (rows) => Number(rows) > 0,
    says: (rows) => `gin_fuzzy_search_limit is ${rows}: searches leave out part of what they find`,
    suitable: '0',
  },
  jit_above_cost: {
    find: doubtful,
    isSo: (cost) => Number(cost) >= 0 && Number(cost) < usualCost,
    says: (cost) =>
      `jit_above_cost is ${cost}: statements of milliseconds are compiled first, which takes seconds`,
    suitable: '100000',
  },
  enable_nestloop: {
    find: doubtful,
    isSo: (state) => state === 'off',
    says: (state) =>
      `enable_nestloop is ${state}: joins read whole tables, and with jit on, a write takes seconds`,
    suitable: 'on',
  },
  lock_timeout: {
    find: doubtful,
    isSo: isBelow(Number.POSITIVE_INFINITY),
    says: (time) =>
      `lock_timeout is ${time}: writes of an account that wait for one another for longer fail with 500`,
    suitable: '0',
  },
  statement_timeout: {
    find: doubtful,
    isSo: isBelow(longSilenceMs),
    says: (time) => `statement_timeout is ${time}: imports and deletions that take longer fail`,
    suitable: '0',
  },
  idle_session_timeout: {
    find: doubtful,
    isSo: isBelow(idleTimeoutMs + 1),
    says: (time) =>
      `idle_session_timeout is ${time}: connections end as they are used again, and writes fail with 500`,
    suitable: "'1min'",
  },
  session_replication_role: {
    find: bad,
    isSo: (role) => role === 'replica',
    says: (role) =>
      `session_replication_role is ${role}: no trigger runs, by which rows are counted, and lists stay empty`,
    suitable: 'origin',
  },
  // Of Postgres 17 and newer.
  transaction_timeout: {
    find: doubtful,
    isSo: isBelow(longSilenceMs),
    says: (time) =>
      `transaction_timeout is ${time}: imports, deletions, migrations, backups and moves that take longer fail`,
    suitable: '0',
  },
};

const rowsSchema = z.array(z.object({ name: z.string(), value: z.string(), shown: z.string() }));

/** What JIT costs is of no interest where it is off, or not installed. */
const query = `
  SELECT name, setting AS value, current_setting(name) AS shown
  FROM pg_settings WHERE name = ANY (string_to_array($1, ','))
    AND (name <> 'jit_above_cost' OR pg_jit_available())
  ORDER BY name`;

/** The settings under which something does not work. */
export async function lookAtDatabaseSettings(client: Client): Promise<Finding[]> {
  // Not as an array, for which one of them may be in the way.
  const { rows } = await client.query(query, [Object.keys(unsuitable).join(',')]);
  return rowsSchema.parse(rows).flatMap(({ name, value, shown }) => {
    const known = unsuitable[name];
    if (!known?.isSo(value)) return [];
    const mend = `ALTER ROLE … SET ${name} = ${known.suitable}, and start the service anew.`;
    return [known.find(about, known.says(shown), mend)];
  });
}
