/** `npm run --silent export -- …`: testimonials of an account into a file. */
import { createWriteStream, realpathSync, statSync } from 'node:fs';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { csvWriter, exportTestimonials, toJsonLines } from '../exports/export';
import { withWholeFile } from '../file-system/unfinished';
import { getSpace } from '../spaces/spaces';
import { emailOption, formatOption, requireAccountId, spaceOption } from './options';
import { readOptions, runAsProcess, type Script } from './script';

export const exportScript: Script = {
  usage: `Exports an account's testimonials, oldest first.

  npm run --silent export -- --email you@example.com [--space <id>] [--format csv|jsonl] [--out <file>]

  --email   the account
  --space   only those of this space
  --format  csv, for spreadsheets and for "npm run import", or jsonl, one JSON object on each line
  --out     the file, which is there once it is whole, in place of one that was; standard output
            where left out

Cells that a spreadsheet would run as a formula begin with an apostrophe, which an import takes away
again. It reads the database that DATABASE_URL names, else the embedded one, also while the service
runs.`,

  read(args, terminal) {
    const { email, space, format, out } = readOptions(args, exportOptions);
    return async () => {
      const accountId = await requireAccountId(email);
      if (space) await getSpace({ accountId }, space);
      const write = async (target: Writable) => {
        const rows = exportTestimonials(accountId, space);
        // Standard output stays open for whatever else there is to print.
        const options = { end: target !== terminal.output };
        if (format === 'csv') await pipeline(Readable.from(rows), csvWriter(), target, options);
        else await pipeline(Readable.from(toJsonLines(rows)), target, options);
      };
      if (out === undefined) return write(terminal.output);
      await withWholeFile(placeOf(out), (unfinished) =>
        write(createWriteStream(unfinished, { mode: 0o600, flush: true })),
      );
    };
  },
};

/**
 * Where the file goes: where a link leads. What is there and no file would be replaced by one, which
 * of a device ends what the whole machine does with it.
 */
function placeOf(out: string): string {
  const found = statSync(out, { throwIfNoEntry: false });
  if (!found) return out;
  if (found.isFile()) return realpathSync(out);
  throw new Error(`${out} is no file. Without --out the export goes to standard output.`);
}

const exportOptions = z.object({
  email: emailOption,
  space: spaceOption.optional(),
  format: formatOption.default('csv'),
  out: z.string().min(1, 'must be the name of a file').optional(),
});

if (require.main === module) void runAsProcess(exportScript);
