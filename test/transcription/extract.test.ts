import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { withTemporaryFolder } from '@/src/file-system/temporary-folder';
import { extractAudio } from '@/src/transcription/extract';
import { transcriptionLimits } from '@/src/transcription/limits';
import { onLinux } from '../helpers/on-linux';
import { decodedSeconds, ffmpeg, hasFfmpeg } from './ffmpeg';
import { type MediaOptions, makeMedia, readAudio } from './media';

// None of what this is for takes a second, where the machine has nothing else to do.
const patience = () => AbortSignal.timeout(60_000);

/** Extracts from the bytes, and gives back the parts' contents beside the result. */
async function extractFrom(bytes: Uint8Array, limits: Partial<typeof transcriptionLimits> = {}) {
  return withTemporaryFolder(async (folder) => {
    const path = join(folder, 'media');
    await writeFile(path, bytes);
    const all = { ...transcriptionLimits, ...limits };
    const result = await extractAudio(path, folder, patience(), all);
    const parts = result.kind === 'extracted' ? result.parts : [];
    return {
      result,
      parts,
      audio: await Promise.all(parts.map(async ({ path }) => readAudio(await readFile(path)))),
      decodedSeconds: hasFfmpeg
        ? await Promise.all(parts.map(({ path }) => decodedSeconds(path)))
        : undefined,
    };
  });
}

describe('the audio track is copied out as it is', () => {
  const withVideo = { videoFrameBytes: 500 };
  test.each<[string, MediaOptions, string, string]>([
    ['mp4', { format: 'mp4', audio: 'aac', ...withVideo }, 'aac', 'audio.m4a'],
    ['fragmented mp4', { format: 'fragmented', audio: 'aac', ...withVideo }, 'aac', 'audio.m4a'],
    ['mov', { format: 'mov', audio: 'aac', ...withVideo }, 'aac', 'audio.m4a'],
    ['mov with PCM', { format: 'mov', audio: 'pcm', ...withVideo }, 'pcm-s16', 'audio.wav'],
    ['webm', { format: 'webm', audio: 'opus', ...withVideo }, 'opus', 'audio.ogg'],
    [
      'webm as a browser records',
      { format: 'live', audio: 'opus', ...withVideo },
      'opus',
      'audio.ogg',
    ],
    ['mkv', { format: 'mkv', audio: 'aac', ...withVideo }, 'aac', 'audio.m4a'],
    ['transport stream', { format: 'ts', audio: 'aac' }, 'aac', 'audio.m4a'],
    ['ogg', { format: 'ogg', audio: 'opus' }, 'opus', 'audio.ogg'],
    ['mp3', { format: 'mp3', audio: 'mp3' }, 'mp3', 'audio.mp3'],
    ['wav', { format: 'wav', audio: 'pcm' }, 'pcm-s16', 'audio.wav'],
  ])('%s', async (_, options, codec, fileName) => {
    const media = await makeMedia(options);
    const original = await readAudio(media);
    const { parts, audio, decodedSeconds } = await extractFrom(media);
    expect(parts.map(({ fileName }) => fileName)).toEqual([fileName]);
    expect(audio).toEqual([
      { codec, durationSeconds: expect.closeTo(2, 0), tracks: 1, bytes: expect.any(Buffer) },
    ]);
    // A transport stream wraps each AAC frame in a header of its own.
    if (options.format !== 'ts') expect(audio[0]?.bytes.equals(original.bytes)).toBe(true);
    if (decodedSeconds) expect(decodedSeconds).toEqual([expect.closeTo(2, 0)]);
  });
});

describe('long audio is split', () => {
  test('by size, no part over the limit and nothing lost', async () => {
    const media = await makeMedia({ format: 'wav', audio: 'pcm', seconds: 3 });
    const { parts, audio } = await extractFrom(media, { partBytes: 200_000 });
    expect(parts).toHaveLength(3);
    expect(audio.every(({ bytes }) => bytes.length <= 200_000)).toBe(true);
    const joined = Buffer.concat(audio.map(({ bytes }) => bytes));
    expect(joined.equals((await readAudio(media)).bytes)).toBe(true);
  });

  test('by length, each part beginning at zero', async () => {
    const media = await makeMedia({ format: 'mp4', audio: 'aac', seconds: 5 });
    const { audio } = await extractFrom(media, { partSeconds: 2 });
    const lengths = audio.map(({ durationSeconds }) => durationSeconds);
    expect(lengths).toEqual([expect.closeTo(2, 1), expect.closeTo(2, 1), expect.closeTo(1, 1)]);
  });

  test('and refused where it is too long', async () => {
    const media = await makeMedia({ format: 'mp4', audio: 'aac', seconds: 5 });
    const parts = await extractFrom(media, { partSeconds: 1, parts: 3 });
    expect(parts.result).toEqual({ kind: 'too-long', reason: 'too much audio' });
    const packets = await extractFrom(media, { packets: 100 });
    expect(packets.result).toEqual({ kind: 'too-long', reason: 'too many packets' });
  });
});

describe('what has no audio to give says so', () => {
  test('a video without an audio track', async () => {
    const media = await makeMedia({ format: 'mp4', videoFrameBytes: 500 });
    const { result } = await extractFrom(media);
    expect(result).toEqual({ kind: 'no-audio', reason: 'the file has no audio track' });
  });

  test.each([
    ['a container that is not demuxed', Buffer.from('FLV\x01\x05\0\0\0\x09 and so on', 'latin1')],
    ['noise', Buffer.alloc(100_000, 'noise')],
    ['nothing', Buffer.alloc(0)],
    ['a playlist', Buffer.from('#EXTM3U\n#EXTINF:10,\n/etc/passwd\n')],
    ['an mp4 of its first box', Buffer.from('\0\0\0\x18ftypisom\0\0\x02\0isommp41', 'latin1')],
  ])('%s', async (_, bytes) => {
    const { result } = await extractFrom(bytes);
    expect(result.kind).toMatch(/not-demuxable|no-audio/);
  });
});

/** The second is what a busy machine comes to. */
const atDeadline = /aborted due to timeout|too little time/;

describe('junk', () => {
  test.each<[string, MediaOptions]>([
    ['mp4', { format: 'mp4', audio: 'aac', videoFrameBytes: 100 }],
    ['fragmented mp4', { format: 'fragmented', audio: 'aac', videoFrameBytes: 100 }],
    ['webm', { format: 'webm', audio: 'opus', videoFrameBytes: 100 }],
    ['transport stream', { format: 'ts', audio: 'aac' }],
    ['ogg', { format: 'ogg', audio: 'opus' }],
  ])('a truncated or damaged %s ends in a result or at its deadline', async (_, options) => {
    const media = await makeMedia({ ...options, seconds: 0.5 });
    const damaged = [0.4, 0.95].flatMap((share) => {
      const at = Math.floor(media.length * share);
      const flipped = Buffer.from(media).fill(0xff, at, Math.min(at + 40, media.length));
      return [media.subarray(0, at), flipped];
    });
    for (const bytes of damaged) {
      const ended = await withTemporaryFolder(async (folder) => {
        const path = join(folder, 'media');
        await writeFile(path, bytes);
        return extractAudio(path, folder, AbortSignal.timeout(300)).then(
          ({ kind }) => kind,
          (error: Error) => error.message,
        );
      });
      expect(ended).toMatch(/extracted|not-demuxable|no-audio|too-long|timeout|too little time/);
    }
  });

  test('a demuxer that does not end is ended, and the event loop stays free', async () => {
    const media = await endlessMp4();
    await withTemporaryFolder(async (folder) => {
      const path = join(folder, 'media');
      await writeFile(path, media);
      let ticks = 0;
      const ticking = setInterval(() => ticks++, 10);
      try {
        await expect(
          extractAudio(path, folder, AbortSignal.timeout(500), {
            ...transcriptionLimits,
            packets: Number.MAX_SAFE_INTEGER,
          }),
        ).rejects.toThrow(atDeadline);
      } finally {
        clearInterval(ticking);
      }
      // In this process it would keep the timeout from being noticed, for ever.
      expect(ticks).toBeGreaterThan(0);
    });
  });

  test.each([
    ['before it has begun', 0],
    ['while it begins', 100],
    ['in the midst of the file', 2_000],
  ])('its process ends where the service that waits for it was killed: %s', async (_, afterMs) => {
    const media = await endlessMp4();
    await withTemporaryFolder(async (folder) => {
      const mediaPath = join(folder, 'media');
      await writeFile(mediaPath, media);
      const job = { mediaPath, outputFolder: folder, maxPackets: Number.MAX_SAFE_INTEGER };
      const program = join(process.cwd(), 'src/transcription/extract-process.mjs');
      const child = fork(program, [JSON.stringify(job)], { execArgv: [] });
      const ended = once(child, 'exit').then(() => 'ended');
      try {
        await sleep(afterMs);
        child.disconnect();
        expect(await Promise.race([ended, sleep(20_000, 'goes on', { ref: false })])).toBe('ended');
      } finally {
        child.kill('SIGKILL');
      }
    });
  });

  onLinux('one that the machine gave no time may pass another time', async () => {
    await withTemporaryFolder(async (folder) => {
      const program = join(folder, 'program.mjs');
      await writeFile(program, 'setInterval(() => {}, 1e3);');
      const deadline = AbortSignal.timeout(3_000);
      const extraction = extractAudio('media', folder, deadline, transcriptionLimits, program);
      await expect(extraction).rejects.toMatchObject({
        message: 'the machine had too little time for the extraction of the audio',
        mayPass: true,
      });
    });
  });

  test.each([
    ['nothing', null],
    ['a kind that there is not', { kind: 'done' }],
    ['parts that are none', { kind: 'extracted', parts: [{ path: '/etc/hostname' }] }],
    ['no reason', { kind: 'too-long' }],
  ])('a process that sends %s fails', async (_, sent) => {
    await withTemporaryFolder(async (folder) => {
      const program = join(folder, 'program.mjs');
      await writeFile(
        program,
        `process.send(${JSON.stringify(sent)}); setInterval(() => {}, 1e3);`,
      );
      const extraction = extractAudio('media', folder, patience(), transcriptionLimits, program);
      await expect(extraction).rejects.toMatchObject({ name: 'ZodError' });
    });
  });

  test('a file that makes the demuxer use up its memory ends the extraction alone', async () => {
    // A fragment of a few bytes that claims hundreds of millions of samples, described nowhere.
    const media = await makeMedia({ format: 'fragmented', audio: 'aac', seconds: 0.5 });
    const run = media.indexOf('trun');
    media.writeUInt32BE(0, run + 4);
    media.writeUInt32BE(0x0fffffff, run + 8);
    await withTemporaryFolder(async (folder) => {
      const path = join(folder, 'media');
      await writeFile(path, media);
      const { rss } = process.memoryUsage();
      await expect(extractAudio(path, folder, AbortSignal.timeout(8000))).rejects.toThrow(
        /more memory than it may|aborted due to timeout|too little time/,
      );
      expect(process.memoryUsage().rss - rss).toBeLessThan(100 * 1024 * 1024);
    });
  });

  /** An mp4 whose table of samples holds three million of them, each of no bytes. */
  async function endlessMp4(): Promise<Buffer> {
    const media = await makeMedia({ format: 'mp4', audio: 'aac', seconds: 0.1 });
    const count = 3_000_000;
    const table = media.indexOf('stsz') - 4;
    const tableEnd = table + media.readUInt32BE(table);
    media.writeUInt32BE(0, table + 12);
    media.writeUInt32BE(count, table + 16);
    media.writeUInt32BE(count, media.indexOf('stts') + 12);
    media.writeUInt32BE(count, media.indexOf('stsc') + 16);
    const added = table + 20 + 4 * count - tableEnd;
    for (const box of ['moov', 'trak', 'mdia', 'minf', 'stbl', 'stsz']) {
      const at = media.indexOf(box) - 4;
      media.writeUInt32BE(media.readUInt32BE(at) + added, at);
    }
    const sizes = Buffer.alloc(4 * count);
    return Buffer.concat([media.subarray(0, table + 20), sizes, media.subarray(tableEnd)]);
  }
});

(hasFfmpeg ? describe : describe.skip)('real media, made by ffmpeg', () => {
  const picture = ['-f', 'lavfi', '-i', 'testsrc=size=160x120:rate=25'];
  const tone = ['-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=48000'];
  const silence = ['-f', 'lavfi', '-i', 'anullsrc=sample_rate=48000'];
  const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast'];
  const fragmented = ['-movflags', 'frag_keyframe+empty_moov'];
  const vp9 = ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8'];
  const aac = ['-c:a', 'aac'];
  const short = ['-t', '2'];

  test.each<[string, string[]]>([
    ['index-at-the-end.mp4', [...picture, ...tone, ...short, ...h264, ...aac]],
    ['silent.mp4', [...picture, ...silence, ...short, ...h264, ...aac]],
    ['fragmented.mp4', [...picture, ...tone, ...short, ...h264, ...aac, ...fragmented]],
    ['phone.mov', [...picture, ...tone, ...short, ...h264, ...aac]],
    ['browser.webm', [...picture, ...tone, ...short, ...vp9, '-c:a', 'libopus', '-live', '1']],
    ['file.mkv', [...picture, ...tone, ...short, ...h264, '-c:a', 'libvorbis']],
    ['camera.ts', [...picture, ...tone, ...short, ...h264, ...aac]],
    ['surround.mp4', [...tone, ...short, '-c:a', 'ac3']],
    ['talk.mp3', [...tone, ...short]],
  ])('%s gives its audio, decodable and of the right length', async (name, args) => {
    const media = await withTemporaryFolder(async (folder) => {
      await ffmpeg(...args, join(folder, name));
      return readFile(join(folder, name));
    });
    const { decodedSeconds, parts } = await extractFrom(media);
    expect(decodedSeconds).toEqual([expect.closeTo(2, 0)]);
    expect(parts).toHaveLength(1);
  });

  test('a video without an audio track has none', async () => {
    const media = await withTemporaryFolder(async (folder) => {
      await ffmpeg(...picture, ...short, ...h264, join(folder, 'mute.mp4'));
      return readFile(join(folder, 'mute.mp4'));
    });
    expect((await extractFrom(media)).result.kind).toBe('no-audio');
  });
});
