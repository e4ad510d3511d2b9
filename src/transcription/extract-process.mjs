// @ts-check
/**
 * The process that copies the audio track out of a media file, packet by packet, without decoding.
 * A small file can keep a demuxer busy without end, or make it use any amount of memory. Whoever
 * starts this kills it after a deadline; a thread would take the service with it when it runs out
 * of memory. Plain JavaScript, so that it runs as it stands wherever the service runs.
 */
import { open, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setImmediate as turnOfEventLoop } from 'node:timers/promises';

/**
 * As CommonJS it is one file; to load its seventy modules takes longer than to read a short video.
 * @type {typeof import('mediabunny')}
 */
const mediabunny = createRequire(import.meta.url)('mediabunny');
const {
  BufferTarget,
  CustomSource,
  EncodedAudioPacketSource,
  EncodedPacketSink,
  FlacOutputFormat,
  Input,
  MATROSKA,
  MP3,
  MP4,
  MPEG_TS,
  Mp3OutputFormat,
  Mp4OutputFormat,
  OGG,
  OggOutputFormat,
  Output,
  QTFF,
  WAVE,
  WavOutputFormat,
  WEBM,
} = mediabunny;

/**
 * @typedef {object} ExtractionJob
 * @property {string} mediaPath
 * @property {string} outputFolder where the parts are written
 * @property {number} maxPartBytes
 * @property {number} maxPartSeconds
 * @property {number} maxParts
 * @property {number} maxPackets
 * @property {number} maxBufferBytes
 *
 * @typedef {import('./extraction-result').AudioPart} AudioPart
 * @typedef {import('./extraction-result').ExtractionResult} ExtractionResult
 */

// Listed one by one: the library's complete list holds playlists, which read other files and hosts.
const formats = [MP4, QTFF, WEBM, MATROSKA, MPEG_TS, OGG, MP3, WAVE];

const mp4 = {
  format: () => new Mp4OutputFormat({ fastStart: 'in-memory' }),
  fileName: 'audio.m4a',
  contentType: 'audio/mp4',
};
const ogg = {
  format: () => new OggOutputFormat(),
  fileName: 'audio.ogg',
  contentType: 'audio/ogg',
};
const wav = {
  format: () => new WavOutputFormat(),
  fileName: 'audio.wav',
  contentType: 'audio/wav',
};

/**
 * Which container carries a codec to the speech-to-text service: those it accepts by name.
 * @type {Record<string, typeof mp4 | typeof ogg | typeof wav | undefined>}
 */
const containers = {
  aac: mp4,
  ac3: mp4,
  eac3: mp4,
  opus: ogg,
  vorbis: ogg,
  mp3: {
    format: () => new Mp3OutputFormat(),
    fileName: 'audio.mp3',
    contentType: 'audio/mpeg',
  },
  flac: {
    format: () => new FlacOutputFormat(),
    fileName: 'audio.flac',
    contentType: 'audio/flac',
  },
  'pcm-u8': wav,
  'pcm-s16': wav,
  'pcm-s24': wav,
  'pcm-s32': wav,
  'pcm-f32': wav,
  ulaw: wav,
  alaw: wav,
};

/** Tables of samples are read whole; those of hours of video have a tenth of this. */
const maxReadBytes = 64 * 1024 * 1024;

/** After so long with packets that are in memory the event loop has a turn. */
const turnMs = 100;

/**
 * @param {ExtractionJob} job
 * @returns {Promise<ExtractionResult>}
 */
async function extract(job) {
  const source = await openSource(job);
  const track = await new Input({ source, formats }).getPrimaryAudioTrack();
  if (!track) return { kind: 'no-audio', reason: 'the file has no audio track' };
  const codec = await track.getCodec();
  const container = codec === null ? undefined : containers[codec];
  const decoderConfig = await track.getDecoderConfig();
  if (!codec || !container || !decoderConfig) {
    return { kind: 'not-demuxable', reason: `audio codec ${codec ?? 'unknown'}` };
  }
  return copyPackets(
    new EncodedPacketSink(track),
    createPartWriter(job, { codec, container, decoderConfig }),
    job,
  );
}

/**
 * Reads the media file, and this one file whatever its content refers to.
 * @param {ExtractionJob} job
 */
async function openSource({ mediaPath, maxBufferBytes }) {
  const file = await open(mediaPath);
  const { size } = await file.stat();
  return new CustomSource({
    getSize: () => size,
    read: async (start, end) => {
      if (end - start > maxReadBytes) throw new Error('A part of the file is too large.');
      if (holdsMoreThan(maxBufferBytes)) throw new Error('The file takes too much memory.');
      const bytes = new Uint8Array(end - start);
      let filled = 0;
      while (filled < bytes.length) {
        const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, start + filled);
        if (bytesRead === 0) throw new Error('The file ends early.');
        filled += bytesRead;
      }
      return bytes;
    },
    prefetchProfile: 'fileSystem',
  });
}

/**
 * @param {import('mediabunny').EncodedPacketSink} sink
 * @param {ReturnType<typeof createPartWriter>} writer
 * @param {ExtractionJob} job
 * @returns {Promise<ExtractionResult>}
 */
async function copyPackets(sink, writer, { maxPackets, maxPartBytes }) {
  let packetCount = 0;
  let turnAt = performance.now();
  for (
    let packet = await sink.getFirstPacket();
    packet;
    packet = await sink.getNextPacket(packet)
  ) {
    packetCount += 1;
    if (packetCount > maxPackets) return { kind: 'too-long', reason: 'too many packets' };
    if (performance.now() - turnAt > turnMs) {
      // Else it is not heard that nobody waits any more.
      await turnOfEventLoop();
      turnAt = performance.now();
    }
    if (packet.data.byteLength === 0) continue;
    if (packet.data.byteLength > maxPartBytes) {
      return { kind: 'too-long', reason: 'a packet of audio is too large' };
    }
    const hasRoom = await writer.add(packet, packetCount);
    if (!hasRoom) return { kind: 'too-long', reason: 'too much audio' };
  }
  const parts = await writer.end();
  return parts.length > 0
    ? { kind: 'extracted', parts }
    : { kind: 'no-audio', reason: 'the audio track is empty' };
}

/**
 * Writes packets into parts, each of which ends before it is larger or longer than it may be.
 * @param {ExtractionJob} job
 * @param {{
 *   codec: import('mediabunny').AudioCodec,
 *   container: typeof mp4 | typeof ogg | typeof wav,
 *   decoderConfig: AudioDecoderConfig,
 * }} audio
 */
function createPartWriter(job, { codec, container, decoderConfig }) {
  /** @type {AudioPart[]} */
  const parts = [];
  /** @type {Awaited<ReturnType<typeof openPart>> | undefined} */
  let part;

  async function openPart() {
    const source = new EncodedAudioPacketSource(codec);
    const output = new Output({ format: container.format(), target: new BufferTarget() });
    output.addAudioTrack(source);
    await output.start();
    return { source, output, bytes: 0, seconds: 0 };
  }

  /** @param {Awaited<ReturnType<typeof openPart>>} closing */
  async function closePart({ output, seconds }) {
    await output.finalize();
    const path = join(job.outputFolder, `part-${parts.length}`);
    await writeFile(path, new Uint8Array(output.target.buffer ?? new ArrayBuffer(0)));
    const { fileName, contentType } = container;
    parts.push({ path, fileName, contentType, durationSeconds: seconds });
  }

  /**
   * @param {Awaited<ReturnType<typeof openPart>>} part
   * @param {number} bytes
   * @param {number} seconds
   */
  function fits(part, bytes, seconds) {
    return part.bytes + bytes <= job.maxPartBytes && part.seconds + seconds <= job.maxPartSeconds;
  }

  return {
    /**
     * False where it would take more parts than there may be.
     * @param {import('mediabunny').EncodedPacket} packet
     * @param {number} sequenceNumber
     */
    async add(packet, sequenceNumber) {
      const bytes = packet.data.byteLength;
      const duration = Number.isFinite(packet.duration) ? Math.max(0, packet.duration) : 0;
      if (part && !fits(part, bytes, duration)) {
        await closePart(part);
        part = undefined;
      }
      if (!part) {
        if (parts.length === job.maxParts) return false;
        part = await openPart();
      }
      // A copy: the packet is a piece of what was read, which with the video in it would be kept as long.
      const data = packet.data.slice();
      // Laid end to end: what a file claims about its times does not matter to a transcript.
      await part.source.add(
        packet.clone({ data, timestamp: part.seconds, duration, sequenceNumber }),
        { decoderConfig },
      );
      part.bytes += bytes;
      part.seconds += duration;
      return true;
    },
    /** All parts, the last one with them. */
    async end() {
      if (part) await closePart(part);
      return parts;
    },
  };
}

/**
 * Whether more is held in buffers, which the heap does not count: a packet may be as large as the file.
 * Garbage is none of it.
 * @param {number} bytes
 */
function holdsMoreThan(bytes) {
  const isMore = () => process.memoryUsage().arrayBuffers > bytes;
  if (!isMore()) return false;
  globalThis.gc?.();
  // Buffers are given back beside it, which a second one waits for.
  globalThis.gc?.();
  return isMore();
}

// Nobody waits any more, or had stopped before this was loaded.
process.once('disconnect', () => process.exit());
if (!process.connected) process.exit();

/**
 * @param {unknown} error
 * @returns {import('zod').infer<typeof import('./extraction-result').extractionResult>}
 */
function resultOf(error) {
  return {
    // What the system refuses, as where the disk is full, says nothing about the file.
    kind: error instanceof Error && 'syscall' in error ? 'failed' : 'not-demuxable',
    reason: error instanceof Error ? error.message : String(error),
  };
}

// A read that fails is heard of here where the demuxer has not begun to wait for it.
process.once('uncaughtException', (error) => process.send?.(resultOf(error)));

process.send?.(await extract(JSON.parse(process.argv[2] ?? '')).catch(resultOf));
