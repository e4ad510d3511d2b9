/** One record of a file, with the number of the line on which it begins, or why it is none. */
export type FileLine = { line: number } & (
  | { record: Record<string, unknown> }
  | { problem: string }
);

/**
 * A record may have so many UTF-16 characters. The longest testimonial has a fifth of them as it stands;
 * with emoji that JSON escapes, at twelve characters each, it may have more and is refused.
 */
export const maxRecordCharacters = 1_000_000;

/** What is wrong with a file as a whole; the message is for a person. */
export class UnreadableFile extends Error {
  override name = 'UnreadableFile';
}

/**
 * The text of a file in UTF-8, without its byte order mark, in pieces as they come.
 * @throws UnreadableFile where it is in another encoding
 */
export async function* decoded(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const otherEncoding = () =>
    new UnreadableFile('The file is not in UTF-8. Save it as "CSV UTF-8" first.');
  const decode = (piece?: Uint8Array) => {
    try {
      return decoder.decode(piece, { stream: piece !== undefined });
    } catch {
      throw otherEncoding();
    }
  };
  let isFirstLine = true;
  for await (const piece of bytes) {
    const text = decode(piece);
    // UTF-16 without its mark is valid UTF-8, in which every other character is NUL.
    if (isFirstLine && /^[^\r\n]*\0/.test(text)) throw otherEncoding();
    isFirstLine &&= !/[\r\n]/.test(text);
    yield text;
  }
  yield decode();
}

/**
 * JSON lines: one object on each.
 * @throws UnreadableFile for a line without an end, and for a list of objects, which other tools write
 */
export async function* readJsonLines(text: AsyncIterable<string>): AsyncGenerator<FileLine> {
  let line = 0;
  let begun = '';
  let isBegin = true;
  for await (const piece of text) {
    const all = `${begun}${piece}`;
    if (isBegin && /^\s*\[/.test(all)) {
      throw new UnreadableFile(
        'The file is a JSON list. Write each of its objects on a line of its own, as "jq -c .[]" does.',
      );
    }
    isBegin &&= all.trim() === '';
    const lines = all.split('\n');
    begun = lines.pop() ?? '';
    for (const one of lines) {
      line += 1;
      if (one.trim() !== '') yield { line, ...parseRecord(one) };
    }
    if (begun.length > maxRecordCharacters) {
      throw new UnreadableFile(`Line ${line + 1} has more than ${maxRecordCharacters} characters.`);
    }
  }
  if (begun.trim() !== '') yield { line: line + 1, ...parseRecord(begun) };
}

function parseRecord(text: string): { record: Record<string, unknown> } | { problem: string } {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return { record: { ...value } };
    }
    return { problem: 'is no JSON object' };
  } catch {
    return { problem: 'is not JSON' };
  }
}
