import { randomUUID } from 'node:crypto';
import { writeInSlices } from './slices';
import type { Bytes } from './utf8';

/** Large outputs of one request, kept out of the one text in which a framework writes all outputs. */
export type LargeOutputs = ReturnType<typeof createLargeOutputs>;

export function createLargeOutputs() {
  const slicesByName = new Map<string, Bytes[]>();
  return {
    /** Writes an output in slices. It is of no use afterwards: as JSON it is a name for them. */
    async take(output: unknown): Promise<void> {
      if (typeof output !== 'object' || output === null || Array.isArray(output)) return;
      const name = randomUUID();
      slicesByName.set(name, await writeInSlices(output));
      Object.defineProperty(output, 'toJSON', { value: () => name });
    },

    /** The body that a framework has written, with each output in the place of its name. */
    setInto(body: Bytes): Bytes[] {
      const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
      const places = [...slicesByName]
        .map(([name, slices]) => ({ at: text.indexOf(`"${name}"`), name, slices }))
        .filter(({ at }) => at >= 0)
        .sort((one, other) => one.at - other.at);
      const pieces: Bytes[] = [];
      let from = 0;
      for (const { at, name, slices } of places) {
        pieces.push(body.subarray(from, at), ...slices);
        from = at + name.length + 2;
      }
      pieces.push(body.subarray(from));
      return pieces;
    },
  };
}
