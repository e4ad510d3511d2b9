/** `npm run import -- …`: testimonials of a file into an account. */
import { createReadStream } from 'node:fs';
import { z } from 'zod';
import { messageOf } from '../error-parts';
import { isSameFile } from '../file-system/same-file';
import { sayingWhere } from '../file-system/unfinished';
import { readCsv } from '../imports/csv';
import { fileFields } from '../imports/file-item';
import { decoded, type FileLine, readJsonLines } from '../imports/lines';
import { collectNotices } from '../imports/notices';
import { type FileImport, importFile, type Totals } from '../imports/run';
import { importInput } from '../imports/schema';
import { getSpace } from '../spaces/spaces';
import { failureReport } from './import-report';
import { emailOption, formatOption, requireAccountId, spaceOption } from './options';
import { fileOption, readOptions, runAsProcess, type Script, UsageError } from './script';
import type { Terminal } from './terminal';

export const importScript: Script = {
  usage: `Imports testimonials from a CSV file or from JSON lines.

  npm run import -- --email you@example.com --space <id> reviews.csv [--map "Their column=our_field"]
                    [--format csv|jsonl] [--on-duplicate skip|update] [--no-events] [--dry-run]
                    [--report <file>]

  --email         the account
  --space         the space that all of them go into; without it each line names its space_id
  --map           a column of the file that is called otherwise than our field; may be repeated
  --format        csv or jsonl; told by the file's name where left out
  --on-duplicate  what becomes of those that are there already: skip leaves them, update changes them
  --no-events     no events: webhooks and the feed hear nothing of it, but of later transcripts
  --dry-run       tries everything and stores nothing, so that of new lines with one external_id
                  each counts as created
  --report        where the lines that were not imported are listed, with the reason, as CSV;
                  the file's name with ".failed.csv" where left out; that of an earlier run is
                  removed. Lines are counted as editors of text do: a row of a spreadsheet whose
                  cells have line breaks is several

  The file is in UTF-8; "-" reads standard input. CSV may have commas, semicolons or tabs, and its
  first line names the columns: ${fileFields.join(', ')}.
  What it has besides is left out, and told of. Where the type is missing, a video_url makes it a
  video, and what is there already stays what it is. A date may stand alone (2019-05-04), and
  without an offset it is in UTC.

A second run of the same file creates nothing twice, also after an interruption: each line is known
by its external_id, else by its id, else by all that it says, so that two equal lines are one
testimonial. Lines are compared with what imports have brought and with nothing else: an export that
is imported into the account it came from makes a second of each testimonial without an external_id.
It goes to the database that DATABASE_URL names, else to the embedded one, also while
the service runs.`,

  read(args, terminal) {
    const options = readOptions(args, importOptions, { bare: 'file' });
    const { email, space, file, map, format = formatOf(file), report } = options;
    if (report && isSameFile(file, report)) {
      throw new UsageError('--report is the file that is read.');
    }
    return async () => {
      const accountId = await requireAccountId(email);
      if (space) await getSpace({ accountId }, space);
      const text = decoded(file === '-' ? terminal.input : bytesOf(file));
      const mapping = new Map(map);
      const form = { spaceId: space, mapping };
      const lines = format === 'csv' ? readCsv(text, form) : readJsonLines(text);
      const checked = collectNotices(lines, mapping);
      // Empty where a script has none: left out.
      const reportFile = report || `${file === '-' ? 'import' : file}.failed.csv`;
      const failures = failureReport(reportFile);
      const isDryRun = options['dry-run'];
      const fileImport = {
        ...form,
        accountId,
        on_duplicate: options['on-duplicate'],
        events: !options['no-events'],
        isDryRun,
      };
      const totals = await importSaying(checked.lines, fileImport, failures, terminal);
      terminal.print(describe(totals));
      for (const notice of checked.notices()) terminal.say(notice);
      if (isDryRun) terminal.say('This was a dry run: nothing is stored.');
      if (totals.failed > 0) {
        throw new Error(
          `${totals.failed} of ${totals.lines} lines were not imported: see ${reportFile}.`,
        );
      }
    };
  },
};

/** Says how far it is, and where it fails, what is stored. */
async function importSaying(
  lines: AsyncIterable<FileLine>,
  fileImport: FileImport,
  failures: ReturnType<typeof failureReport>,
  terminal: Terminal,
): Promise<Totals> {
  const sayProgress = sayEvery(10_000, terminal);
  let reached: Totals | undefined;
  const progress = (totals: Totals) => {
    reached = totals;
    sayProgress(totals);
  };
  try {
    const totals = await importFile(lines, fileImport, { progress, failure: failures.add });
    await failures.close();
    return totals;
  } catch (error) {
    // The batches before it are stored, and stay.
    if (reached && reached.created + reached.updated > 0 && !fileImport.isDryRun)
      terminal.say(`Before it failed: ${countsOf(reached)}.`);
    // It may be for the report that it failed.
    await failures.close().catch((ofReport: unknown) => {
      if (ofReport !== error) terminal.say(messageOf(ofReport));
    });
    throw error;
  }
}

const mapRule = `must be of the form "Their column=our_field", with one of ${fileFields.join(', ')}`;

const renaming = z
  .string()
  .regex(/^.+=[^=]+$/, mapRule)
  .transform((text): [string, string] => {
    const at = text.lastIndexOf('=');
    return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
  })
  .refine(([, ours]) => fileFields.some((field) => field === ours), mapRule);

const importOptions = z.object({
  email: emailOption,
  space: spaceOption.optional(),
  file: fileOption,
  map: z
    .array(renaming)
    .refine((pairs) => new Set(pairs.map(([theirs]) => theirs)).size === pairs.length, {
      error: 'names a column twice',
    })
    .default([]),
  format: formatOption.optional(),
  'on-duplicate': z
    .enum(importInput.shape.on_duplicate.unwrap().options, 'must be skip or update')
    .default('skip'),
  'no-events': z.boolean().default(false),
  'dry-run': z.boolean().default(false),
  report: z.string().optional(),
});

/** Opens the file when it is first asked for: before, nobody would hear that it cannot be. */
async function* bytesOf(file: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(file);
  } catch (error) {
    throw sayingWhere(file, error);
  }
}

function formatOf(file: string): z.infer<typeof formatOption> {
  return /\.(jsonl|ndjson|json)$/i.test(file) ? 'jsonl' : 'csv';
}

function describe(totals: Totals): string {
  return `${totals.lines} lines: ${countsOf(totals)}`;
}

function countsOf({ created, updated, skipped, failed }: Totals): string {
  return `${created} created, ${updated} updated, ${skipped} skipped, ${failed} failed`;
}

/** Says how far it is, each time that so many lines more are done. */
function sayEvery(step: number, terminal: Terminal): (totals: Totals) => void {
  let said = 0;
  return (totals) => {
    if (totals.lines - said < step) return;
    said = totals.lines;
    terminal.say(describe(totals));
  };
}

if (require.main === module) void runAsProcess(importScript);
