import { open } from 'node:fs/promises';
import { containerProbeBytes } from './container';

/**
 * Writes a file that arrives to `path`, which is new. What it is follows from its first bytes: `typeOf`
 * tells, or throws, as soon as they are there, so that nothing is written that is not wanted.
 * @throws what `typeOf` throws; what `tooLarge` makes, beyond `maxBytes`; what fails on either side
 */
export async function receiveFile<Type>(
  chunks: AsyncIterable<Uint8Array>,
  path: string,
  rules: { maxBytes: number; tooLarge: () => Error; typeOf: (start: Uint8Array) => Type },
): Promise<{ type: Type; sizeBytes: number }> {
  const file = await open(path, 'wx');
  try {
    let start = Buffer.alloc(0);
    let sizeBytes = 0;
    for await (const chunk of chunks) {
      sizeBytes += chunk.byteLength;
      if (sizeBytes > rules.maxBytes) throw rules.tooLarge();
      if (start.length < containerProbeBytes) {
        start = Buffer.concat([start, chunk]);
        if (start.length >= containerProbeBytes) rules.typeOf(start);
      }
      await file.writeFile(chunk);
    }
    return { type: rules.typeOf(start), sizeBytes };
  } finally {
    await file.close();
  }
}
