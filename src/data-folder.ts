import { accessSync, constants, mkdirSync } from 'node:fs';
import { resolve } from 'node:path';

/**
 * Makes the folder, for this user alone, where there is none.
 * @throws Error that says what to do, where it is none or cannot be written to
 */
export function makeDataFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new Error(
      `The data folder ${resolve(folder)} cannot be used: ${reasonOf(cause)}. Choose one that ` +
        'this user may write to (DATA_FOLDER).',
      { cause },
    );
  }
}

function reasonOf(error: unknown): string {
  switch (typeof error === 'object' && error !== null && 'code' in error && error.code) {
    case 'EEXIST':
      return 'it is a file';
    case 'ENOTDIR':
      return 'a file stands in its path';
    case 'EACCES':
    case 'EPERM':
      return `user ${process.getuid?.() ?? ''} may not write there`;
    case 'EROFS':
      return 'its file system cannot be written to';
    default:
      return String(error);
  }
}
