import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
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
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    // Of two processes that start at once, the second finds the first one's file.
    writeFileSync(file, randomBytes(32).toString('hex'), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  provideEnv({ SECRET_KEY: readFileSync(file, 'utf8').trim() });
}
