import { createHash } from 'node:crypto';

/** Reads lines of JSON and counted bytes out of a stream, and hashes all that it has handed out. */
export function createByteReader(stream: AsyncIterable<Buffer>) {
  const chunks = stream[Symbol.asyncIterator]();
  const hash = createHash('sha256');
  let held: Buffer[] = [];
  let heldBytes = 0;

  /** The next chunk, which is held from then on; undefined at the end of the stream. */
  async function more(): Promise<Buffer | undefined> {
    const { done, value } = await chunks.next();
    if (done) return undefined;
    held.push(value);
    heldBytes += value.length;
    return value;
  }

  /** @throws Error at the end of the stream */
  async function needed(): Promise<Buffer> {
    const chunk = await more();
    if (!chunk) throw new Error('its end is missing');
    return chunk;
  }

  function take(length: number): Buffer {
    const joined = held.length === 1 && held[0] ? held[0] : Buffer.concat(held);
    const rest = joined.subarray(length);
    held = rest.length > 0 ? [rest] : [];
    heldBytes = rest.length;
    const taken = joined.subarray(0, length);
    hash.update(taken);
    return taken;
  }

  return {
    /** The next line, parsed. @throws Error where there is none of up to `maxBytes` */
    async line(maxBytes: number): Promise<unknown> {
      let searched = 0;
      for (let index = 0; ; index++) {
        const isAllSearched = index === held.length;
        if (isAllSearched && searched > maxBytes) throw new Error('a line is too long');
        const chunk = held[index] ?? (await needed());
        const at = chunk.indexOf(0x0a);
        if (at !== -1) return JSON.parse(take(searched + at + 1).toString('utf8'));
        searched += chunk.length;
      }
    },
    /** @throws Error where there are fewer */
    async bytes(count: number): Promise<Buffer> {
      while (heldBytes < count) await needed();
      return take(count);
    },
    /** @throws Error where something follows */
    async end(): Promise<void> {
      if (heldBytes > 0 || (await more())) throw new Error('something follows its end');
    },
    /** SHA-256 of all that was read up to here. */
    digest: () => hash.copy().digest('hex'),
  };
}
