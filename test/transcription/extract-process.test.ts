import { readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withTemporaryFolder } from '@/src/file-system/temporary-folder';
import { extractAudio } from '@/src/transcription/extract';
import { transcriptionLimits } from '@/src/transcription/limits';
import { makeMedia } from './media';

const MB = 1024 * 1024;

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

test('a file that fills the heap of its process does so each time, and has failed by it', async () => {
  await withTemporaryFolder(async (folder) => {
    const program = join(folder, 'program.mjs');
    await writeFile(
      program,
      'const held = []; for (;;) held.push(new Array(100_000).fill(held.length));',
    );
    const signal = AbortSignal.timeout(60_000);
    const extraction = extractAudio(folder, folder, signal, undefined, program);
    await expect(extraction).rejects.toMatchObject({
      message: 'the extraction of the audio needs more memory than it may have',
      mayPass: false,
    });
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

describe('what is held in memory', () => {
  const extractWith = (media: Uint8Array, limits: Partial<typeof transcriptionLimits>) =>
    withTemporaryFolder(async (folder) => {
      const path = join(folder, 'media');
      await writeFile(path, media);
      const all = { ...transcriptionLimits, ...limits };
      return extractAudio(path, folder, AbortSignal.timeout(60_000), all);
    });

  test('is not the pictures that lie between the audio', async () => {
    const media = await makeMedia({
      format: 'mkv',
      audio: 'aac',
      seconds: 100,
      videoFrameBytes: 25_000,
    });
    expect(media.length).toBeGreaterThan(55 * MB);
    const result = await extractWith(media, { extractionBufferBytes: 32 * MB });
    expect(result).toMatchObject({ kind: 'extracted', parts: [{ fileName: 'audio.m4a' }] });
  });

  test.each(['packet', 'tag'])('is no %s as large as the file', async (what) => {
    const media = await oggWithEndless(what, 40 * MB);
    expect(await extractWith(media, { extractionBufferBytes: 24 * MB })).toEqual({
      kind: 'not-demuxable',
      reason: 'The file takes too much memory.',
    });
  });

  test('a packet larger than what may be sent is not sent', async () => {
    const media = await oggWithEndless('packet', 4 * MB);
    expect(await extractWith(media, { partBytes: 2 * MB })).toEqual({
      kind: 'too-long',
      reason: 'a packet of audio is too large',
    });
  });

  /** Ogg, RFC 3533: a packet goes on over as many pages as it likes. */
  async function oggWithEndless(what: string, bytes: number): Promise<Buffer> {
    const media = await makeMedia({ format: 'ogg', audio: 'opus', seconds: 0.1 });
    const second = media.indexOf('OggS', 4);
    const third = media.indexOf('OggS', second + 4);
    const page = (flags: number) => {
      const head = Buffer.from(media.subarray(second, second + 26));
      head.writeUInt8(flags, 5);
      head.writeBigInt64LE(-1n, 6);
      return Buffer.concat([head, Buffer.alloc(1 + 255, 255), Buffer.alloc(255 * 255, 'a')]);
    };
    const first = page(0);
    if (what === 'tag') {
      const begin = Buffer.from('OpusTags\0\0\0\0\x01\0\0\0____TITLE=', 'latin1');
      begin.writeUInt32LE(bytes, 16);
      begin.copy(first, 27 + 255);
    }
    const pages = Array<Buffer>(Math.ceil(bytes / (255 * 255))).fill(page(1));
    const until = what === 'tag' ? second : third;
    return Buffer.concat([media.subarray(0, until), first, ...pages, media.subarray(third)]);
  }
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
