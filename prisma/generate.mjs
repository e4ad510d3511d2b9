// Generates the database client, silently unless it fails: `node prisma/generate.mjs`.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);

const result = spawnSync(process.execPath, [findPrisma(), 'generate'], {
  cwd: join(dirname(fileURLToPath(import.meta.url)), '..'),
  encoding: 'utf8',
  env: {
    ...process.env,
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
    ...(hasSchemaEngine() ? {} : { PRISMA_SCHEMA_ENGINE_BINARY: process.execPath }),
  },
});

if (result.status !== 0) {
  process.stderr.write(`${result.stdout ?? ''}${result.stderr ?? ''}`);
  process.stderr.write(`prisma generate failed: ${result.error?.message ?? result.status}\n`);
  process.exitCode = 1;
}

/** Prisma's command line, a development dependency. */
function findPrisma() {
  try {
    return require.resolve('prisma/build/index.js');
  } catch {
    process.stderr.write(
      'Prisma is not installed, so the database client cannot be generated. Run "npm ci", or add ' +
        '--ignore-scripts where only a service that was built elsewhere is to run.\n',
    );
    process.exit(1);
  }
}

/**
 * Every command of Prisma wants its schema engine and would download it, though `generate` never
 * runs it. Where it is absent any existing file will do, here and for no other command: `migrate`
 * would report success with a file that does nothing.
 */
function hasSchemaEngine() {
  if (process.env.PRISMA_SCHEMA_ENGINE_BINARY) {
    return true;
  }
  // From Prisma's own place: an installer may have put its engines beside it instead of on top.
  const fromPrisma = createRequire(require.resolve('prisma/build/index.js'));
  const enginesFolder = dirname(fromPrisma.resolve('@prisma/engines/package.json'));
  return readdirSync(enginesFolder).some((name) => /^schema-engine-(?!.*\.tmp)/.test(name));
}
