import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export type Migration = { name: string; script: string };

/**
 * Where this service keeps them. As a parameter's default, the build would put all of the project into
 * functions.
 */
export function defaultFolder(): string {
  return join(process.cwd(), 'prisma', 'migrations');
}

/** In the order in which they are applied. */
export function readMigrations(folder: string): Migration[] {
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .filter((name) => existsSync(join(folder, name, 'migration.sql')));
  return names
    .sort()
    .map((name) => ({ name, script: readFileSync(join(folder, name, 'migration.sql'), 'utf8') }));
}

/** As Prisma computes it. */
export function checksum(script: string): string {
  return createHash('sha256').update(script).digest('hex');
}

/** A checkout may have turned the line ends, which is not a change. */
export function possibleChecksums(script: string): string[] {
  const unix = script.replaceAll('\r\n', '\n');
  return [script, unix, unix.replaceAll('\n', '\r\n')].map(checksum);
}
