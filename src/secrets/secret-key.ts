import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { env, provideEnv } from '../env';

/**
 * Makes sure that there is a SECRET_KEY: where none is configured, one is made and kept in the data
 * folder. Losing it signs everyone out and makes stored signing secrets unreadable.
 */
export function ensureSecretKey(): void {
  const { SECRET_KEY: configured, DATA_FOLDER: folder } = env();
  if (configured) return;
  const file = join(folder, 'secret-key');
  if (!existsSync(file)) makeSecretKey(folder, file);
  provideEnv({ SECRET_KEY: readFileSync(file, 'utf8').trim() });
}

/** Of several processes that start at once, one makes the key; nobody reads it half written. */
function makeSecretKey(folder: string, file: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}.draft`;
  writeFileSync(draft, randomBytes(32).toString('hex'), { mode: 0o600 });
  try {
    linkSync(draft, file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}
