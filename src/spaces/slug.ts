/** Latin letters that do not come apart into a letter and its marks. */
const spellings = new Map(
  Object.entries({ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i' }),
);

/**
 * A space's name as part of a URL: lower-case ASCII letters, digits and hyphens, at most 60
 * characters. A name without any letter or digit of the Latin script gives `space`.
 */
export function slugify(name: string): string {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/[ßæœøłđðþı]/g, (letter) => spellings.get(letter) ?? letter)
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-+|-+$/g, '');
  return slug || 'space';
}
