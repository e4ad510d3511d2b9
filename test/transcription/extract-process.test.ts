import { readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withTemporaryFolder } from '@/src/temporary-folder';
import { extractAudio } from '@/src/transcription/extract';
import { makeMedia } from './media';

test('the process that reads a file of somebody else is given no setting of the service', async () => {
  process.env.SECRET_OF_THE_SERVICE = 'secret';
  await withTemporaryFolder(async (folder) => {
    const program = join(folder, 'program.mjs');
    const told = join(folder, 'told.json');
    await writeFile(
      program,
      `import { writeFileSync } from 'node:fs';
      writeFileSync(${JSON.stringify(told)}, JSON.stringify(process.env));`,
    );
    const signal = AbortSignal.timeout(60_000);
    await expect(extractAudio(folder, folder, signal, undefined, program)).rejects.toThrow(
      'exit code 0',
    );
    const environment: object = JSON.parse(await readFile(told, 'utf8'));
    // Beside what Node itself sets for the channel between the two.
    const names = Object.keys(environment).filter((name) => !name.startsWith('NODE_CHANNEL_'));
    expect(names).toEqual(['NODE_ENV']);
  });
});

test('a table larger than any of a real file is not read into memory', async () => {
  await withTemporaryFolder(async (folder) => {
    const path = join(folder, 'media');
    const tableBytes = 65 * 1024 * 1024;
    const begin = Buffer.from('\0\0\0\x10ftypisom\0\0\0\0\0\0\0\0moov', 'latin1');
    begin.writeUInt32BE(tableBytes, 16);
    await writeFile(path, begin);
    // What is not written takes no room on the disk, and reads as zeros.
    await truncate(path, 16 + tableBytes);
    expect(await extractAudio(path, folder, AbortSignal.timeout(60_000))).toEqual({
      kind: 'not-demuxable',
      reason: 'A part of the file is too large.',
    });
  });
});

test('that there is no room for the audio is no fault of the file, which is tried again', async () => {
  await withTemporaryFolder(async (folder) => {
    const path = join(folder, 'media');
    await writeFile(path, await makeMedia({ format: 'mp4', audio: 'aac' }));
    // On a full disk the same write fails by another code.
    const gone = join(folder, 'gone');
    const extracting = extractAudio(path, gone, AbortSignal.timeout(60_000));
    await expect(extracting).rejects.toThrow('ENOENT');
  });
});
