/** Makes a folder with a file where its argument says, says so, and goes on until it is ended. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withUnfinished } from '../../src/file-system/unfinished';

const [, , path = ''] = process.argv;

void withUnfinished(path, async () => {
  mkdirSync(path);
  writeFileSync(join(path, 'file'), 'x');
  process.stdout.write('made\n');
  await new Promise(() => process.stdin.resume());
});
