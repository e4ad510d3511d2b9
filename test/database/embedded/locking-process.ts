/** A process for tests to race: on a line of input it tries to lock the folder, and tells. */
import { createInterface } from 'node:readline';
import { lockFolder } from '../../../src/database/embedded/folder-lock';

createInterface({ input: process.stdin }).once('line', (folder) => {
  lockFolder(folder).then(
    () => process.stdout.write('locked\n'),
    (error: unknown) => process.stdout.write(`${error}\n`),
  );
});
process.stdout.write('waiting\n');
