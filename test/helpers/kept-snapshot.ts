import { existsSync, readFileSync } from 'node:fs';

/**
 * The migrated database that the run began with, for `openTemporary`, which takes three times as long
 * to make one. Nothing where there is none, because the tests run on a server.
 */
export function keptSnapshot(): { snapshot?: Uint8Array<ArrayBuffer> } {
  const file = process.env.TEST_DATABASE_SNAPSHOT ?? '';
  return existsSync(file) ? { snapshot: Uint8Array.from(readFileSync(file)) } : {};
}
