import { fromFirstSeen } from './shown-name';

/** Firefox has it since 125. */
const characters =
  typeof Intl.Segmenter === 'function'
    ? new Intl.Segmenter('en', { granularity: 'grapheme' })
    : undefined;

/**
 * What stands for somebody without a picture: the first character of the name that a reader sees and
 * counts as one, as a flag, and a letter with its accents. Names out of a phone's contacts begin with marks
 * of their direction. A question mark where there is none.
 */
export function initialOf(name: string): string {
  const text = fromFirstSeen(name);
  const [seen] = characters?.segment(text) ?? [];
  const first = seen?.segment ?? [...text][0] ?? '?';
  return first.toUpperCase();
}
