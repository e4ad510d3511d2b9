import { availableParallelism } from 'node:os';
import type { Client } from 'pg';
import { z } from 'zod';
import { databaseAdvice, noSchemaAdvice, trigramsAdvice } from '../../database/connections/advice';
import { findEmbedded } from '../../database/embedded/open';
import { encodingError, MigrationError } from '../../database/migrations/errors';
import { pendingMigrations } from '../../database/migrations/migrate';
import { isSupported, newerServerAdvice } from '../../database/migrations/server-version';
import { runOn } from '../../database/migrations/tables';
import { unreadSchema } from '../../database/unread-schema';
import type { Env } from '../../env';
import { reasonOf } from '../../error-parts';
import { connectionTo } from './connection-to';
import { lookAtDatabaseSettings } from './database-settings';
import { bad, type Check, doubtful, type Finding, well } from './finding';
import { lookAtPooler } from './pooler';
import { lookAtSecrets } from './secrets';

const about = 'database';

/** Receivers refuse what is signed a few minutes off; and one of the two clocks is wrong. */
const badClockMs = 60_000;
const doubtfulClockMs = 5_000;

const factsSchema = z.tuple([
  z.object({
    version: z.string(),
    encoding: z.string(),
    version_number: z.number(),
    time_zone: z.string(),
    /** Without those that are kept for others than its user. */
    max_connections: z.number(),
    /** Of its user or database, which hold no superuser. */
    connection_limit: z.number().nullable(),
    now_ms: z.number(),
    has_trigrams: z.boolean(),
    may_have_trigrams: z.boolean(),
    /** The schema that has them, where none that is looked in does. */
    trigrams_hidden_in: z.string().nullable(),
    folds_letters: z.boolean(),
    takes_writes: z.boolean(),
    /**
     * Whether writes are to be at a standby before they are answered, and none is connected. The view
     * pg_stat_replication leaves out who sends without a session, as the server's own part does at Neon.
     */
    waits_for_nobody: z.boolean(),
    /** That in which it makes tables; null where none of its search_path exists. */
    schema: z.string().nullable(),
    makes_tables: z.boolean(),
    owns_tables: z.boolean(),
    ends_what_nobody_awaits: z.boolean(),
  }),
]);

type Facts = z.infer<typeof factsSchema>[0];

const factsQuery = `
  SELECT current_setting('server_version') AS version,
    current_setting('server_encoding') AS encoding,
    current_setting('server_version_num')::int AS version_number,
    current_setting('TimeZone') AS time_zone,
    current_setting('max_connections')::int
      - CASE WHEN current_setting('is_superuser') = 'on' THEN 0
        ELSE current_setting('superuser_reserved_connections')::int
          + coalesce(current_setting('reserved_connections', true), '0')::int
        END AS max_connections,
    (SELECT min(own) FROM (
      SELECT rolconnlimit AS own FROM pg_roles WHERE rolname = current_user
      UNION ALL SELECT datconnlimit FROM pg_database WHERE datname = current_database()
    ) limits WHERE own >= 0 AND current_setting('is_superuser') = 'off') AS connection_limit,
    (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now_ms,
    EXISTS (SELECT FROM pg_available_extensions WHERE name = 'pg_trgm')
      OR EXISTS (SELECT FROM pg_extension WHERE extname = 'pg_trgm') AS has_trigrams,
    EXISTS (SELECT FROM pg_extension WHERE extname = 'pg_trgm')
      OR current_setting('is_superuser') = 'on'
      OR has_database_privilege(current_database(), 'CREATE') AS may_have_trigrams,
    (SELECT opcnamespace::regnamespace::text FROM pg_opclass
      WHERE opcname = 'gin_trgm_ops' AND NOT pg_opclass_is_visible(oid) LIMIT 1) AS trigrams_hidden_in,
    lower('Ä') = 'ä' AS folds_letters,
    current_setting('transaction_read_only') = 'off' AS takes_writes,
    current_setting('synchronous_standby_names') <> ''
      AND current_setting('synchronous_commit') NOT IN ('off', 'local')
      AND NOT pg_is_in_recovery()
      AND NOT EXISTS (SELECT FROM pg_stat_get_wal_senders()) AS waits_for_nobody,
    current_schema() AS schema,
    coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS makes_tables,
    coalesce((SELECT bool_and(pg_has_role(relowner, 'USAGE')) FROM pg_class
      WHERE oid = to_regclass('request_log')
        OR oid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = to_regclass('request_log'))),
      true) AS owns_tables,
    current_setting('client_connection_check_interval', true) IS DISTINCT FROM '0'
      AS ends_what_nobody_awaits`;

/** Of no interest where the database is embedded: it has no other connections to lose. */
const leftStatements = doubtful(
  about,
  'statements that wait for a lock keep their connections, also those that the service gave up',
  "ALTER DATABASE … SET client_connection_check_interval = '2s', and start the service anew.",
);

const lettersApart = doubtful(
  'search',
  'finds Ä and ä, and all letters beyond a to z, only as they are written',
  "Move to a database of another LC_CTYPE: CREATE DATABASE … TEMPLATE template0 LC_CTYPE 'C.UTF-8', then npm run move.",
);

export function databaseChecks(settings: Env): Check[] {
  const { DATABASE_URL: server } = settings;
  const checks = [{ about, look: () => look(settings) }];
  return server ? [...checks, { about, look: () => lookAtPooler(server) }] : checks;
}

async function look(settings: Env): Promise<Finding[]> {
  const { DATABASE_URL: server, DATA_FOLDER: folder } = settings;
  const url = server ?? findEmbedded(folder);
  if (!url)
    return [well(about, `embedded in ${folder}, and not open: it is looked at at the start`)];
  const client = connectionTo(url);
  try {
    await client.connect();
  } catch (error) {
    return [bad(about, `not reached: ${reasonOf(error)}`, databaseAdvice(error))];
  }
  try {
    const findings = await lookAtServer(client, settings, server === undefined);
    const migrations = await lookAtMigrations(client);
    const hasTables = migrations.state === 'well';
    const secrets = hasTables ? await lookAtSecrets(client, settings) : [];
    return [...findings, migrations, ...secrets];
  } finally {
    await client.end();
  }
}

async function lookAtServer(
  client: Client,
  settings: Env,
  isEmbedded: boolean,
): Promise<Finding[]> {
  const askedAt = Date.now();
  const { rows } = await client.query(factsQuery);
  const answeredAt = Date.now();
  const [facts] = factsSchema.parse(rows);
  return [
    ...lookAtInstallation(facts, isEmbedded),
    ...(await lookAtDatabaseSettings(client)),
    ...lookAtRights(facts),
    ...(facts.folds_letters ? [] : [lettersApart]),
    well('time zone', `${facts.time_zone} in the database; any will do`),
    lookAtClock(facts.now_ms - (askedAt + answeredAt) / 2),
    ...lookAtSchema(settings),
    ...(isEmbedded ? [] : [lookAtConnections(settings, facts)]),
    ...(isEmbedded || facts.ends_what_nobody_awaits ? [] : [leftStatements]),
  ];
}

function* lookAtInstallation(facts: Facts, isEmbedded: boolean): Generator<Finding> {
  yield isSupported(facts.version_number)
    ? well(about, `${isEmbedded ? 'embedded, ' : ''}Postgres ${facts.version} answers`)
    : bad(about, `Postgres ${facts.version}`, newerServerAdvice);
  if (facts.encoding !== 'UTF8') {
    yield bad(about, encodingError(facts.encoding).message, 'As it says.');
  }
  if (!facts.has_trigrams) {
    const mend = 'Install the package of Postgres with its own extensions (contrib).';
    yield bad(about, 'the extension pg_trgm is missing', mend);
  } else if (!facts.may_have_trigrams) {
    const says = 'its user may not make the extension pg_trgm, as the first migrations do';
    const mend =
      'Make the user of DATABASE_URL the owner of the database, or run CREATE EXTENSION pg_trgm in it as ' +
      'somebody who may.';
    yield bad(about, says, mend);
  }
  if (facts.trigrams_hidden_in !== null) {
    const says = `pg_trgm is in the schema ${facts.trigrams_hidden_in}, which its search_path does not name`;
    yield bad(about, says, trigramsAdvice);
  }
  if (!facts.takes_writes) {
    const mend = 'Name the primary in DATABASE_URL, or see why it takes none.';
    yield bad(about, 'it takes no writes', mend);
  }
  if (facts.waits_for_nobody) {
    const says = 'writes wait for a standby (synchronous_standby_names), and none is connected';
    yield bad(about, says, 'Have it connect, or take it out of synchronous_standby_names.');
  }
}

function* lookAtRights(facts: Facts): Generator<Finding> {
  if (!facts.makes_tables) {
    const mend =
      facts.schema === null
        ? noSchemaAdvice
        : 'Make the user of DATABASE_URL the owner of the database.';
    const says = 'its user may not make tables, as migrations and the log of requests do';
    yield bad(about, says, mend);
  }
  if (!facts.owns_tables) {
    const says =
      'its user does not own the tables, as migrations and the log of requests ask of it';
    const mend =
      'ALTER TABLE … OWNER TO … for each; or grant it the role that owns them, and ALTER ROLE … SET role = …, ' +
      'so that it makes its own as that role too.';
    yield bad(about, says, mend);
  }
}

function lookAtSchema(settings: Env): Finding[] {
  const schema = unreadSchema(settings);
  if (schema === undefined) return [];
  const says = `schema=${schema} in DATABASE_URL is not read: the tables are where search_path leads`;
  return [doubtful(about, says, 'Take it out, and give each service a database of its own.')];
}

function lookAtClock(differenceMs: number): Finding {
  const off = Math.abs(differenceMs);
  const side = differenceMs > 0 ? 'ahead of' : 'behind';
  const says = `the database's clock is ${(off / 1000).toFixed(1)} s ${side} this machine's`;
  const mend = 'Set both by NTP: deliveries are signed with the time of the database.';
  if (off >= badClockMs) return bad('clock', says, mend);
  return off >= doubtfulClockMs ? doubtful('clock', says, mend) : well('clock', says);
}

function lookAtConnections({ WORKERS, DATABASE_POOL_SIZE }: Env, facts: Facts): Finding {
  const workers = WORKERS === 'auto' ? availableParallelism() : WORKERS;
  // SIGHUP starts each worker's next one before it ends.
  const processes = workers === 1 ? 1 : workers + 1;
  const wanted = processes * DATABASE_POOL_SIZE;
  const { max_connections: max, connection_limit: limit } = facts;
  if (limit !== null && wanted >= limit) {
    const says = `this instance may open ${wanted} connections, and its user or database has ${limit}`;
    return bad(
      about,
      says,
      'Lower DATABASE_POOL_SIZE or WORKERS, or raise their CONNECTION LIMIT.',
    );
  }
  const says = `this instance may open ${wanted} connections of ${max}`;
  const mend = 'Lower DATABASE_POOL_SIZE or WORKERS, or raise max_connections.';
  return wanted < max ? well(about, says) : bad(about, says, mend);
}

async function lookAtMigrations(client: Client): Promise<Finding> {
  try {
    const pending = await pendingMigrations({ query: runOn(client) });
    if (pending.length === 0) return well('migrations', 'all are applied');
    const says = `${pending.length} are not applied yet, the first is ${pending[0]}`;
    return doubtful('migrations', says, 'Start the service, or run "npm run migrate".');
  } catch (error) {
    if (error instanceof MigrationError) return bad('migrations', error.message, 'As it says.');
    return bad('migrations', reasonOf(error), databaseAdvice(error));
  }
}
