import type { Client } from 'pg';
import { z } from 'zod';
import { bad, doubtful, type Finding } from './finding';

const about = 'database';

/** What deletions, imports and moves may take; see `longSilenceMs` of the pool. */
const longMs = 600_000;

/** Settings of the server, the database or its user, by name, with what does not work under them. */
const unsuitable: Record<string, { isBad: boolean; under(value: number): boolean; says: string }> =
  {
    array_nulls: {
      isBad: true,
      under: (isOn) => isOn === 0,
      says: 'the log of requests is not written',
    },
    extra_float_digits: {
      isBad: true,
      under: (digits) => digits < 0,
      says: 'instants and durations lose their last digits',
    },
    lock_timeout: {
      isBad: false,
      under: (ms) => ms > 0,
      says: 'writes of an account that wait for one another for longer fail with 500',
    },
    statement_timeout: {
      isBad: false,
      under: (ms) => ms > 0 && ms < longMs,
      says: 'imports, deletions and migrations that take longer fail',
    },
    // Of Postgres 17 and newer.
    transaction_timeout: {
      isBad: false,
      under: (ms) => ms > 0 && ms < longMs,
      says: 'imports, deletions, migrations, backups and moves that take longer fail',
    },
  };

const rowsSchema = z.array(z.object({ name: z.string(), value: z.number(), shown: z.string() }));

const query = `
  SELECT name, current_setting(name) AS shown,
    CASE WHEN vartype = 'bool' THEN (setting::bool)::int ELSE setting::int END AS value
  FROM pg_settings WHERE name = ANY (string_to_array($1, ','))
  ORDER BY name`;

/** The settings under which something does not work. */
export async function lookAtDatabaseSettings(client: Client): Promise<Finding[]> {
  // Not as an array, for which one of them may be in the way.
  const { rows } = await client.query(query, [Object.keys(unsuitable).join(',')]);
  return rowsSchema.parse(rows).flatMap(({ name, value, shown }) => {
    const known = unsuitable[name];
    if (!known?.under(value)) return [];
    const mend = `ALTER ROLE … SET ${name} = ${name === 'array_nulls' ? 'on' : 0}, and start the service anew.`;
    return [(known.isBad ? bad : doubtful)(about, `${name} is ${shown}: ${known.says}`, mend)];
  });
}
