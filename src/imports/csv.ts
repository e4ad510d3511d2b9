import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CsvError, parse } from 'csv-parse';
import { type FileForm, mappedTwice, namesTaken } from './file-item';
import { unescapeFormula } from './formulas';
import { type FileLine, maxRecordCharacters, UnreadableFile } from './lines';

/** Commas, semicolons where a comma is the decimal point, or tabs. */
const delimiters = [',', ';', '\t'];

const delimiterNames = new Map([
  [',', 'commas'],
  [';', 'semicolons'],
  ['\t', 'tabs'],
  ['|', 'bars'],
]);

type Cell = string | null;

/** The line by which a file tells spreadsheets its delimiter, before the one that names the columns. */
const declaration = /^"?sep=([,;|\t])"?[\r\n]/i;

/**
 * The records of a CSV file, whose first one names the columns: RFC 4180, any end of line, and the
 * delimiter that it declares, else whichever of three its first line has most of. An empty cell is
 * null, and a text without characters where it stands in quotes. Lines of blanks alone are none, and
 * blank cells behind those that have a name are nothing: spreadsheets and other tools leave both. What
 * was done to cells that look like formulas is undone.
 * @throws UnreadableFile for what is no CSV or has no line, has two columns of one name that is looked
 * at, or two that are mapped to one field, or none for the space where that is not given either
 */
export async function* readCsv(
  text: AsyncIterable<string>,
  form: FileForm,
): AsyncGenerator<FileLine> {
  const { begun, head, all } = await readHead(text);
  const [, declared] = declaration.exec(begun) ?? [];
  // Behind the record before, less the empty lines until there.
  let next = declared ? 2 : 1;
  const delimiter = declared ?? delimiterOf(head);
  const parser = parse({
    delimiter,
    from_line: declared ? 2 : 1,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: maxRecordCharacters,
    cast: (cell, { quoting }): Cell => (cell === '' && !quoting ? null : unescapeFormula(cell)),
    on_record: (cells, { lines, empty_lines }) => {
      const line = next + empty_lines;
      next = lines + 1 - empty_lines;
      return Object.assign(cells, { line });
    },
  });
  // Where it fails, reading from the parser does so too.
  pipeline(Readable.from(all), parser).catch(() => {});
  try {
    let columns: Cell[] | undefined;
    for await (const parsed of parser) {
      const cells: Cell[] & { line: number } = parsed;
      if (cells.every(isBlank)) continue;
      if (columns) yield { line: cells.line, ...named(columns, cells) };
      else columns = readColumns(cells, form, delimiter);
    }
    // Nobody means to import what a failed command has left. Of nothing, an export has that line.
    if (!columns) throw new UnreadableFile('The file is empty: no line names its columns.');
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    // By itself it names the line where it was noticed, which may be far behind a quote without an end.
    const line = next + Number(error.empty_lines);
    throw new UnreadableFile(
      `The file is not CSV: ${error.message}. The record begins on line ${line}.`,
    );
  }
}

/**
 * A line that names no column is one with data, which would be lost. Which of two columns is meant,
 * nobody can know, and what the other one says would be lost.
 */
function readColumns(names: Cell[], { mapping, spaceId }: FileForm, delimiter: string): Cell[] {
  const taken = namesTaken(mapping);
  const columns = names.map((name) => name?.trim() ?? null);
  if (!columns.some((name) => name !== null && taken.has(name))) {
    throw new UnreadableFile(
      `The first line names no column that is known. Say with --map which of its columns is which field: see --help. It was taken apart at ${delimiterNames.get(delimiter)} (columns: ${names.length}); a line such as "sep=|" before it says where else.`,
    );
  }
  const twice = columns.find(
    (name, index) => name && taken.has(name) && columns.indexOf(name) !== index,
  );
  if (twice) {
    throw new UnreadableFile(`The file has two columns that are called "${twice}": rename one.`);
  }
  const field = mappedTwice(columns, mapping);
  if (field !== undefined) {
    throw new UnreadableFile(`The file has two columns that are mapped to "${field}": map one.`);
  }
  if (spaceId === undefined && !columns.some((name) => name && isOfSpace(name, mapping))) {
    throw new UnreadableFile(
      'No column says which space its lines go into. Give --space, or say with --map which column is space_id.',
    );
  }
  return columns;
}

function isOfSpace(name: string, mapping: FileForm['mapping']): boolean {
  return (mapping.get(name) ?? name) === 'space_id';
}

const isBlank = (cell: Cell): boolean => cell === null || /^\s+$/.test(cell);

function named(
  columns: Cell[],
  cells: Cell[],
): { record: Record<string, unknown> } | { problem: string } {
  const isPadded = cells.slice(columns.length).every((cell) => !cell?.trim());
  if (cells.length < columns.length || !isPadded) {
    return { problem: `has ${cells.length} cells, and the first line ${columns.length}` };
  }
  const entries = columns.flatMap((name, index): [string, Cell][] =>
    name ? [[name, cells[index] ?? null]] : [],
  );
  return { record: Object.fromEntries(entries) };
}

/** The text as far as the first line that is not empty took, that line without what stands in quotes, and the whole text again. */
async function readHead(
  text: AsyncIterable<string>,
): Promise<{ begun: string; head: string; all: AsyncIterable<string> }> {
  const pieces = text[Symbol.asyncIterator]();
  let begun = '';
  let bare = '';
  while (!/[^\r\n][\r\n]/.test(bare) && begun.length < maxRecordCharacters) {
    const { done, value } = await pieces.next();
    if (done) break;
    begun += value;
    bare = begun.replace(/"[^"]*(?:"|$)/g, '"');
  }
  const [head = ''] = bare.replace(/^[\r\n]+/, '').split(/[\r\n]/, 1);
  async function* all() {
    yield begun;
    for (let next = await pieces.next(); !next.done; next = await pieces.next()) yield next.value;
  }
  return { begun, head, all: all() };
}

function delimiterOf(head: string): string {
  const count = (delimiter: string) => head.split(delimiter).length;
  return delimiters.reduce((best, one) => (count(one) > count(best) ? one : best));
}
