import { once } from 'node:events';
import {
  closeSync,
  createWriteStream,
  existsSync,
  openSync,
  readSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { type Stringifier, stringify } from 'csv-stringify';
import { sayingWhere } from '../file-system/unfinished';
import { escapeFormula } from '../imports/formulas';
import type { ItemError } from '../imports/schema';

const reportColumns = ['line', 'field', 'reason'];

/** What an earlier run has left would look like this one's. Whatever else has the name stays. */
function removeEarlierReport(path: string): void {
  if (!existsSync(path) || !statSync(path).isFile()) return;
  const head = `${reportColumns.join()}\n`;
  const found = Buffer.alloc(head.length);
  const file = openSync(path, 'r');
  try {
    readSync(file, found);
  } finally {
    closeSync(file);
  }
  if (found.toString() === head) rmSync(realpathSync(path));
}

/** Lines and reasons, in a file that is made with the first of them. Nothing of a line is in it. */
export function failureReport(path: string) {
  removeEarlierReport(path);
  let table: Stringifier | undefined;
  let done: Promise<unknown> = Promise.resolve();
  const open = () => {
    const opened = stringify({
      header: true,
      columns: reportColumns,
      cast: { string: escapeFormula },
    });
    done = pipeline(opened, createWriteStream(path)).catch((error: unknown) => {
      throw sayingWhere(path, error);
    });
    // Told by whoever adds or closes next.
    done.catch(() => {});
    return opened;
  };
  return {
    async add(line: number, { field = '', message }: ItemError) {
      table ??= open();
      const isFull = !table.write({ line, field, reason: message });
      // What the stream says of it is without the name of the file.
      if (isFull) await Promise.race([once(table, 'drain').catch(() => done), done]);
    },
    async close() {
      table?.end();
      await done;
    },
  };
}
