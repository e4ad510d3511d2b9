import { setImmediate as turnOfEventLoop } from 'node:timers/promises';
import { type Bytes, utf8Of } from './utf8';

/** How much is written before others get their turn, in characters; one row may be more. */
const sliceCharacters = 128 * 1024;

/**
 * What JSON.stringify makes of an answer, in slices, with a turn of the event loop after each. The
 * rows of a list are let go of one by one, so that they and their bytes are not both in memory; the
 * answer is of no use afterwards.
 */
export async function writeInSlices(answer: object): Promise<Bytes[]> {
  const slices: Bytes[] = [];
  let text = '{';
  const cut = async () => {
    slices.push(utf8Of(text));
    text = '';
    await turnOfEventLoop();
  };
  let separator = '';
  for (const [name, value] of Object.entries(answer)) {
    if (value === undefined) continue;
    text += `${separator}${JSON.stringify(name)}:`;
    separator = ',';
    if (!Array.isArray(value)) {
      text += JSON.stringify(value);
      continue;
    }
    text += '[';
    for (let at = 0; at < value.length; at++) {
      text += `${at > 0 ? ',' : ''}${JSON.stringify(value[at]) ?? 'null'}`;
      value[at] = undefined;
      if (text.length >= sliceCharacters) await cut();
    }
    text += ']';
  }
  text += '}';
  await cut();
  return slices;
}
