/**
 * What stands for `src/transcription/extract.ts` in files that are not about the process behind it, by
 * `jest.mock`: of the short video the audio is copied out once, and every other file is that process's.
 * To start one for each video was most of what those files took.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withTemporaryFolder } from '@/src/file-system/temporary-folder';
import type * as extraction from '@/src/transcription/extract';
import { shortVideo } from './media';

const { extractAudio: extract } = jest.requireActual<typeof extraction>(
  '@/src/transcription/extract',
);

let extracted: ReturnType<typeof extractShortVideo> | undefined;

export const extractAudio: typeof extract = async (path, folder, signal, ...others) => {
  const media = await readFile(path);
  if (!media.equals(await shortVideo())) return extract(path, folder, signal, ...others);
  extracted ??= extractShortVideo();
  const { result, contents } = await extracted;
  signal.throwIfAborted();
  if (result.kind !== 'extracted') return result;
  const parts = result.parts.map((part, index) => ({
    ...part,
    path: join(folder, `part-${index}`),
  }));
  await Promise.all(parts.map(({ path }, index) => writeFile(path, contents[index] ?? '')));
  return { ...result, parts };
};

/** Whoever asked for it first may be given up: it is everybody's. */
function extractShortVideo() {
  return withTemporaryFolder(async (folder) => {
    const path = join(folder, 'media');
    await writeFile(path, await shortVideo());
    const result = await extract(path, folder, AbortSignal.timeout(60_000));
    const parts = result.kind === 'extracted' ? result.parts : [];
    return { result, contents: await Promise.all(parts.map(({ path }) => readFile(path))) };
  });
}
