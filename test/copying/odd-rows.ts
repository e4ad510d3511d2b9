/** Migrations, and databases of rows, with everything that could get lost between two of them. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyInto } from '../../src/copying/copy';
import { withConnection } from '../../src/copying/places';
import { type Source, withDatabaseSource } from '../../src/copying/source';
import { migrate } from '../../src/database/migrations/migrate';
import { query } from '../database/query';
import { databasesOfTests, openEmpty } from './databases';

const first = `
  CREATE TYPE mood AS ENUM ('calm', 'a mood', 'it''s "odd"');
  CREATE TABLE owners (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    name text NOT NULL,
    thing_count integer NOT NULL DEFAULT 0,
    replaced_by uuid REFERENCES owners (id)
  );
  CREATE UNIQUE INDEX owners_name_key ON owners (name);
  ALTER TABLE owners ADD COLUMN named_after text REFERENCES owners (name)
    ON UPDATE CASCADE ON DELETE SET NULL;
  CREATE TABLE things (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    owner_id uuid NOT NULL REFERENCES owners (id) ON DELETE CASCADE,
    mood mood,
    body text,
    doubled text GENERATED ALWAYS AS (body || body) STORED,
    bytes bytea,
    b jsonb,
    j json,
    at timestamptz(6),
    day date,
    span interval,
    price numeric,
    ratio double precision,
    narrow real,
    list text[],
    flags boolean
  );
  CREATE INDEX things_owner_id_idx ON things (owner_id, at DESC) WHERE body IS NOT NULL;
  CREATE TABLE "Odd ""name""" ("a ""column""" text COLLATE "C" PRIMARY KEY, "select" integer);
  CREATE TABLE log (at timestamptz NOT NULL, line text, PRIMARY KEY (at)) PARTITION BY RANGE (at);
  CREATE INDEX log_line_idx ON log (line);
  CREATE TABLE spread (key text NOT NULL, n integer) PARTITION BY HASH (key);
  CREATE TABLE spread_0 PARTITION OF spread FOR VALUES WITH (MODULUS 2, REMAINDER 0);
  CREATE TABLE spread_1 PARTITION OF spread FOR VALUES WITH (MODULUS 2, REMAINDER 1);
  CREATE SEQUENCE tickets;
  CREATE SEQUENCE never_asked;
  CREATE FUNCTION count_things() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE owners SET thing_count = thing_count + (SELECT count(*) FROM added a WHERE a.owner_id = owners.id);
    RETURN NULL;
  END $$;
  CREATE TRIGGER things_counted AFTER INSERT ON things REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION count_things();
  CREATE TRIGGER things_off AFTER INSERT ON things REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION count_things();
  ALTER TABLE things DISABLE TRIGGER things_off;`;

/** What a newer version of the service does to rows that are there. */
const second = `
  ALTER TABLE things ADD COLUMN mark text;
  UPDATE things SET mark = 'from before ' || id;`;

const firstMigration = '20260101000000_first';
const secondMigration = '20260102000000_second';

const folders: string[] = [];

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/** A folder with the first migration, or with both; gone when the file's tests are over. */
export function makeMigrations({ isNewer = false } = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'migrations-'));
  folders.push(folder);
  const add = (name: string, script: string) => {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'migration.sql'), script);
  };
  add(firstMigration, first);
  if (isNewer) add(secondMigration, second);
  return folder;
}

type Moving = {
  say?: (line: string) => void;
  /** The migrations that the service knows which moves. */
  folder?: string;
  /** What stands between the database that is read and the one that is written. */
  of?: (source: Source) => Source;
};

/** For a test file: databases with the rows of the first migration, each closed after its test. */
export function oddDatabases() {
  const migrations = makeMigrations();
  const open = databasesOfTests();
  return {
    migrations,
    open,
    /** A database with rows, as a service would have left it. Resolves to its address. */
    openFilled: async (kind = openEmpty, options: { isLarge?: boolean } = {}) => {
      const url = await open(kind);
      await migrate({ url, folder: migrations, log: () => {} });
      await query(url, insertRows(options));
      return url;
    },
    /** Copies all of one database into another one, as `npm run move` does. */
    move: (
      from: string,
      to: string,
      { say = () => {}, folder = migrations, of = (source) => source }: Moving = {},
    ) =>
      withConnection({ url: from }, (client) =>
        withDatabaseSource(client, { isLocked: true }, (source) =>
          copyInto(to, of(source), { say, migrations: folder }),
        ),
      ),
  };
}

/** Rows for the first migration. `large` adds ten megabytes, some blocks of a copy. */
function insertRows({ isLarge = false } = {}): string {
  return `
    INSERT INTO owners (name) VALUES ('Zoë'), (E'tab\\tline\\nback\\\\slash \\\\N'), ('😀'), ('');
    UPDATE owners SET replaced_by = (SELECT id FROM owners WHERE name = 'Zoë'), named_after = 'Zoë'
      WHERE name = '😀';
    INSERT INTO things (owner_id, mood, body, bytes, b, j, at, day, span, price, ratio, narrow, list, flags)
    SELECT owners.id, row.* FROM owners, (VALUES
      ('calm'::mood, E'\\\\. \\r\\n\\t\\\\N', '\\x00ff0a5c'::bytea, '{"a":[1,null,"\\\\n"],"b":1.10}'::jsonb,
        '{"b": 1.10,  "a":"\\u00e9"}'::json, '2024-02-29 12:00:00.123456+05:30'::timestamptz,
        '0044-03-15 BC'::date, '-1 mons +3 days -04:05:06.789'::interval, 0.10::numeric, 0.1::float8,
        0.1::real, ARRAY['a,b', NULL, '"', '{}', ''], true),
      ('it''s "odd"', '', '', 'null', 'null', 'infinity', '-infinity', '0', 'NaN', 'Infinity', '-0', '{}', false),
      (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)
    ) row;
    DELETE FROM things WHERE id % 5 = 0;
    INSERT INTO "Odd ""name""" SELECT E'\\\\' || n, n FROM generate_series(1, 500) n;
    CREATE TABLE log_20260101 PARTITION OF log FOR VALUES FROM ('2026-01-01 00:00:00+00') TO ('2026-01-02 00:00:00+00');
    CREATE TABLE log_default PARTITION OF log DEFAULT;
    INSERT INTO log VALUES ('2026-01-01 10:00+00', 'in a day'), ('2020-01-01 10:00+00', 'in none');
    INSERT INTO spread SELECT 'key ' || n, n FROM generate_series(1, 100) n;
    SELECT setval('tickets', 41);
    ${
      isLarge
        ? `INSERT INTO things (owner_id, body, bytes)
           SELECT (SELECT id FROM owners WHERE name = ''), repeat(md5(n::text), 100), decode(md5(n::text), 'hex')
           FROM generate_series(1, 3000) n;`
        : ''
    }`;
}
