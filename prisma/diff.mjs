// Prints the SQL that would take the migrations to schema.prisma, for writing the next migration;
// prints nothing where they agree. Needs neither Prisma's schema engine nor a server:
//   node --import tsx prisma/diff.mjs                  migrates a temporary database to compare with
//   node --import tsx prisma/diff.mjs postgresql://…   compares with that migrated database
//
// The engine sees tables, columns, defaults, indexes, foreign keys and enums. It does not see
// triggers, functions and checks. A default of `dbgenerated("now()")` always shows as a difference.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from '@prisma/driver-adapter-utils';
import pg from 'pg';

const require = createRequire(import.meta.url);
// Required, because these are CommonJS: imported from here they would not know their own folder.
const { openTemporary } = require('../src/database/embedded/open.ts');
const { migrate } = require('../src/database/migrations/migrate.ts');
const prismaFolder = dirname(fileURLToPath(import.meta.url));

async function diffWithTemporary() {
  const database = await openTemporary();
  try {
    await migrate({ url: database.url, folder: join(prismaFolder, 'migrations'), log: () => {} });
    return await diff(database.url);
  } finally {
    await database.close();
  }
}

/** The SQL that takes the database at `url` to schema.prisma; empty where they agree. */
async function diff(url) {
  const { SchemaEngine } = await loadEngine();
  const path = join(prismaFolder, 'schema.prisma');
  const files = [{ path, content: readFileSync(path, 'utf8') }];
  const pool = new EngineReadablePool({ connectionString: url, max: 1 });
  try {
    const engine = await SchemaEngine.new(
      { datamodels: files.map(({ path, content }) => [path, content]) },
      () => {},
      bindMigrationAwareSqlAdapterFactory(new EngineReadableAdapter(pool)),
    );
    const { stdout } = await engine.diff({
      from: { tag: 'schemaDatasource', files, configDir: prismaFolder },
      to: { tag: 'schemaDatamodel', files },
      script: true,
      exitCode: true,
      filters: { externalTables: [], externalEnums: [] },
    });
    return stdout?.includes('This is an empty migration') ? '' : (stdout ?? '');
  } finally {
    await pool.end();
  }
}

/** The schema engine, compiled to WebAssembly. Its own entry imports .wasm, which Node cannot. */
async function loadEngine() {
  // What the engine calls on a panic, before it traps.
  globalThis.PRISMA_WASM_PANIC_REGISTRY = {
    set_message: (text) => process.stderr.write(`${text}\n`),
  };
  const bindingsPath = require.resolve('@prisma/schema-engine-wasm/schema_engine_bg');
  const bindings = await import(pathToFileURL(bindingsPath).href);
  const wasm = readFileSync(join(dirname(bindingsPath), 'schema_engine_bg.wasm'));
  const { instance } = await WebAssembly.instantiate(wasm, { './schema_engine_bg.js': bindings });
  bindings.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
  return bindings;
}

// The engine reads catalog columns of the type "char", which the adapter refuses to name. The pool
// passes them off as arrays of it, a type the adapter does know and the catalog queries never use;
// the adapter then calls them what they are.
const CHAR = 18;
const CHAR_ARRAY = 1002;

class EngineReadablePool extends pg.Pool {
  async query(...query) {
    const result = await super.query(...query);
    for (const field of result.fields) {
      field.dataTypeID = field.dataTypeID === CHAR ? CHAR_ARRAY : field.dataTypeID;
    }
    return result;
  }
}

class EngineReadableAdapter extends PrismaPg {
  async connect() {
    const adapter = await super.connect();
    const queryRaw = adapter.queryRaw.bind(adapter);
    adapter.queryRaw = async (query) => {
      const result = await queryRaw(query);
      const columnTypes = result.columnTypes.map((type) =>
        type === ColumnTypeEnum.CharacterArray ? ColumnTypeEnum.Character : type,
      );
      return { ...result, columnTypes };
    };
    return adapter;
  }
}

const url = process.argv[2];
process.stdout.write(url ? await diff(url) : await diffWithTemporary());
