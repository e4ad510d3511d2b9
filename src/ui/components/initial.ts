/** Firefox has it since 125. */
const characters =
  typeof Intl.Segmenter === 'function'
    ? new Intl.Segmenter('en', { granularity: 'grapheme' })
    : undefined;

/**
 * What stands for somebody without a picture: the first character of the name as a reader counts them,
 * of which a flag is one, and a letter with its accents. A question mark where there is none.
 */
export function initialOf(name: string): string {
  const text = name.trim();
  const [seen] = characters?.segment(text) ?? [];
  const first = seen?.segment ?? [...text][0] ?? '?';
  return first.toUpperCase();
}
