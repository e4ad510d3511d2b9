import { columnNames } from '../testimonials/columns';
import { byOurNames, namesTaken } from './file-item';
import type { FileLine } from './lines';

/** What a number of many digits becomes in a spreadsheet that shows it: 1.23457E+18, or 1E+15. */
const shortened = /^\d(?:[.,]\d+)?E\+\d+$/i;

/** What the second byte of a letter becomes, as Latin 1 reads it and as Windows does; no quotation marks. */
const secondBytes = '\u0080-\u00aa\u00ac-\u00ba\u00bc-\u00bf€‚ƒ„†‡ˆ‰Š‹ŒŽ˜™š›œžŸ•';

/**
 * What letters beyond ASCII become where UTF-8 is read as something else, or something else as UTF-8: those
 * of Western and Central Europe, of Cyrillic two together, and the marks that word processors set.
 */
const misread = new RegExp(
  `[ÃÄÅ][${secondBytes}]|Ã(?:[«»]|[–‘](?=\\p{Ll}))|(?:[ÐÑ][^\\0-\\x7f]){2}|â[€\u0080]|\ufffd`,
  'u',
);

/** What may be odd about a line, and what is said of the file for it, behind how many lines have it. */
const oddities: { has: (line: LookedAt) => boolean; says: string }[] = [
  {
    has: ({ id }) => typeof id === 'string' && shortened.test(id),
    says: 'an id such as 1.23457E+18, which a spreadsheet has made of a longer one: those of several lines may be equal now, and only one of them is imported. Write the file anew, with that column as text.',
  },
  {
    // JSON may write more digits than a number keeps.
    has: ({ id }) => typeof id === 'number' && Math.abs(id) > Number.MAX_SAFE_INTEGER,
    says: 'a number of more than 15 digits for an id, which is rounded as it is read: those of several lines may be equal now, and only one of them is imported. Write the file anew, with that field as text.',
  },
  {
    has: ({ values }) => values.some((value) => typeof value === 'string' && misread.test(value)),
    says: 'what letters become in the wrong encoding, such as "Ã¼" or "\ufffd": look whether the file was saved so.',
  },
];

type LookedAt = { id: unknown; values: unknown[] };

/** So many names are told, of a file whose every line may have others. */
const maxNames = 10;

/**
 * The lines as they come, and once they have, what is no error of any and yet no success: names that
 * are mapped and nowhere found, values that were left out with a name that is no field's, ids that a
 * spreadsheet has shortened or reading has rounded, and letters that were misread before. What an export
 * of ours has besides is no such value.
 */
export function collectNotices(
  lines: AsyncIterable<FileLine>,
  mapping: ReadonlyMap<string, string>,
) {
  const unseen = new Set(mapping.keys());
  const known = new Set([...namesTaken(mapping), ...columnNames]);
  const leftOut = new Set<string>();
  let lineCount = 0;
  const counted = oddities.map((oddity) => ({ ...oddity, count: 0 }));

  async function* looked(): AsyncGenerator<FileLine> {
    for await (const line of lines) {
      lineCount += 1;
      if ('record' in line) look(line.record);
      yield line;
    }
  }

  function look(record: Record<string, unknown>): void {
    for (const [name, value] of Object.entries(record)) {
      unseen.delete(name);
      const isLeftOut = !known.has(name) && value !== null && value !== '';
      if (isLeftOut && leftOut.size < maxNames) leftOut.add(name);
    }
    const { external_id, id } = byOurNames(record, mapping);
    const line = { id: external_id ?? id, values: Object.values(record) };
    for (const oddity of counted) if (oddity.has(line)) oddity.count += 1;
  }

  function notices(): string[] {
    const all = [...(lineCount > 0 ? unseen : [])].map(
      (name) => `No line has "${name}", which --map names.`,
    );
    if (leftOut.size > 0) {
      const names = [...leftOut].map((name) => JSON.stringify(name.slice(0, 100))).join(', ');
      all.push(`Left out was what is called ${names}: no field is. --map says which field one is.`);
    }
    for (const { count, says } of counted) {
      if (count > 0) all.push(`${count} of ${lineCount} lines have ${says}`);
    }
    return all;
  }

  return { lines: looked(), notices };
}
