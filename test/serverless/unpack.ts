import { copyFileSync, lstatSync, mkdirSync, readlinkSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type BuiltFunction, projectFolder, setupNodeEnv } from './build';

/** Puts a function into a folder that has nothing else: what was not traced is not there. */
export function unpack({ files }: BuiltFunction, folder: string): void {
  for (const file of files) put(file, join(folder, file));
  put(setupNodeEnv.source, join(folder, setupNodeEnv.target));
}

function put(file: string, target: string): void {
  const source = join(projectFolder, file);
  mkdirSync(dirname(target), { recursive: true });
  if (lstatSync(source).isSymbolicLink()) symlinkSync(readlinkSync(source), target);
  else copyFileSync(source, target);
}
