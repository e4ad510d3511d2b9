/**
 * What others have written, for a line of a terminal: without what that would obey, and what would turn
 * the rest of the line around.
 */
export function printable(text: string): string {
  return text.replace(/\p{Control}/gu, ' ').replace(/\p{Bidi_Control}/gu, '');
}
