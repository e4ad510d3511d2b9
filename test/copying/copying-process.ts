/**
 * A process for tests to kill: copies the database at its first argument into that at its second, by
 * the migrations in the folder of its third, and prints each line that is said, and a line for each
 * block that was stored, of which the next is read only once a line came in.
 */
import { createInterface } from 'node:readline';
import { copyInto } from '../../src/copying/copy';
import { withConnection } from '../../src/copying/places';
import { type Positions, withDatabaseSource } from '../../src/copying/source';

async function main([from = '', to = '', migrations = '']: string[]): Promise<void> {
  const input = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  const print = (line: string) => process.stdout.write(`${line}\n`);
  await withConnection({ url: from }, (client) =>
    withDatabaseSource(client, { isLocked: true }, async (source) => {
      const stepwise = {
        ...source,
        async *blocks(done: Positions) {
          for await (const block of source.blocks(done)) {
            yield block;
            print('stored a block');
            await input.next();
          }
        },
      };
      await copyInto(to, stepwise, { say: print, migrations });
    }),
  );
  print('done');
  process.exit();
}

void main(process.argv.slice(2));
