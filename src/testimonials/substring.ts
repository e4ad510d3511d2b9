import { Prisma } from '../database/generated/client';

/** How often LIKE may compare each character of a text before a regular expression takes its place. */
const maxComparisons = 25;

/**
 * A condition: the column, whose texts are in the form of `folded_text`, contains the term as it stands,
 * whatever its case.
 *
 * LIKE begins anew at each character. With a term that repeats itself, in a text made for it, that is as
 * many comparisons as the two lengths multiplied: seconds for twenty texts. Such a term is looked for by
 * a regular expression, which reads each character once, in texts that have its beginning and its end.
 * It is slower with all others, and no index serves it.
 */
export function contains(column: Prisma.Sql, term: string): Prisma.Sql {
  const like = (part: string) => Prisma.sql`${column} LIKE folded_text(${substringPattern(part)})`;
  if (comparisonsPerCharacter(term) <= maxComparisons) return like(term);
  const characters = [...term.normalize()];
  // Less the letters at the cuts: in the folded text, marks beyond may have become one with them.
  const start = characters
    .slice(0, maxComparisons)
    .join('')
    .replace(/.\p{M}*$/su, '');
  const end = characters
    .slice(-maxComparisons)
    .join('')
    .replace(/^.\p{M}*/su, '');
  // The function, which the planner takes for no condition that an index could serve.
  return Prisma.sql`${like(start)} AND ${like(end)}
    AND textregexeq(${column}, '***=' || folded_text(${term}))`;
}

/** A LIKE pattern that finds `term` as it stands: `%`, `_` and `\` are literal. */
function substringPattern(term: string): string {
  return `%${term.replace(/[\\%_]/g, '\\$&')}%`;
}

/**
 * How often, at most, LIKE compares a character of whatever text with those of the term. Places where its
 * first n characters are found lie at least a period of these n apart, so that there is one of them in as
 * many characters of the text: summed up over n. Of plain words it is less than ten.
 */
function comparisonsPerCharacter(term: string): number {
  // Folded as any database folds letters, or further.
  const text = term
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .replaceAll('i\u0307', 'i')
    .normalize();
  /** How long a beginning of the term the first n characters end with, by n; Knuth, Morris and Pratt. */
  const borders = [0, 0];
  let comparisons = text.length > 0 ? 1 : 0;
  for (let length = 2; length <= text.length; length++) {
    const next = text[length - 1];
    let border = borders[length - 1] ?? 0;
    while (border > 0 && text[border] !== next) border = borders[border] ?? 0;
    if (text[border] === next) border += 1;
    borders.push(border);
    comparisons += 1 / (length - border);
  }
  return comparisons;
}
