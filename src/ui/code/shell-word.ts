/** A word of a POSIX shell that stands for exactly this text. */
export function shellWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
