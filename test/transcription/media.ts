import {
  ALL_FORMATS,
  type AudioCodec,
  BufferSource,
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  Input,
  MkvOutputFormat,
  MovOutputFormat,
  Mp3OutputFormat,
  Mp4OutputFormat,
  MpegTsOutputFormat,
  OggOutputFormat,
  Output,
  type OutputFormat,
  WavOutputFormat,
  WebMOutputFormat,
} from 'mediabunny';

/** Media files made without an encoder: the frames are constants that decode to silence. */
const codecs = {
  aac: {
    codec: 'aac',
    frame: () => Uint8Array.of(0x21, 0x00, 0x49, 0x90, 0x02, 0x19, 0x00, 0x23, 0x80),
    frameSeconds: 1024 / 48_000,
    config: { codec: 'mp4a.40.2', description: Uint8Array.of(0x11, 0x90) },
  },
  opus: {
    codec: 'opus',
    frame: () => Uint8Array.of(0xfc, 0xff, 0xfe),
    frameSeconds: 0.02,
    config: {
      codec: 'opus',
      // RFC 7845, section 5.1: version 1, 2 channels, pre-skip 312, 48 kHz.
      description: Buffer.from('OpusHead\x01\x02\x38\x01\x80\xbb\0\0\0\0\0', 'latin1'),
    },
  },
  mp3: {
    codec: 'mp3',
    // MPEG 1, layer III, 128 kbit/s, 48 kHz, stereo: 384 bytes.
    frame: () => Buffer.concat([Buffer.from([0xff, 0xfb, 0x94, 0x00]), Buffer.alloc(380)]),
    frameSeconds: 1152 / 48_000,
    config: { codec: 'mp3' },
  },
  pcm: {
    codec: 'pcm-s16',
    // A saw, so that a byte out of place shows.
    frame: (index: number) => {
      const samples = Int16Array.from({ length: 960 }, (_, i) => ((index * 960 + i) % 100) * 100);
      return new Uint8Array(samples.buffer);
    },
    frameSeconds: 0.01,
    config: { codec: 'pcm-s16' },
  },
} satisfies Record<
  string,
  {
    codec: AudioCodec;
    frame: (index: number) => Uint8Array;
    frameSeconds: number;
    config: Partial<AudioDecoderConfig> & { codec: string };
  }
>;

const formats = {
  mp4: () => new Mp4OutputFormat({ fastStart: false }),
  fragmented: () => new Mp4OutputFormat({ fastStart: 'fragmented' }),
  mov: () => new MovOutputFormat(),
  webm: () => new WebMOutputFormat(),
  live: () => new WebMOutputFormat({ appendOnly: true }),
  mkv: () => new MkvOutputFormat(),
  ts: () => new MpegTsOutputFormat(),
  ogg: () => new OggOutputFormat(),
  mp3: () => new Mp3OutputFormat(),
  wav: () => new WavOutputFormat(),
} satisfies Record<string, () => OutputFormat>;

export type MediaOptions = {
  format: keyof typeof formats;
  audio?: keyof typeof codecs;
  seconds?: number;
  /** Bytes of a video frame; 25 of them a second. No video track where absent. */
  videoFrameBytes?: number;
};

let short: Promise<Buffer<ArrayBuffer>> | undefined;

/** A second of video with sound, where any will do. */
export function shortVideo(): Promise<Buffer<ArrayBuffer>> {
  short ??= makeMedia({ format: 'mp4', audio: 'aac', seconds: 1, videoFrameBytes: 100 });
  return short;
}

/** A media file; where it has a video track, its frames hold nothing that decodes. */
export async function makeMedia(options: MediaOptions): Promise<Buffer<ArrayBuffer>> {
  const { format, audio, seconds = 2, videoFrameBytes } = options;
  const target = new BufferTarget();
  const output = new Output({ format: formats[format](), target });
  const { codec, frame, frameSeconds, config } = codecs[audio ?? 'aac'];
  const audioSource = new EncodedAudioPacketSource(codec);
  const videoSource = new EncodedVideoPacketSource('vp9');
  if (audio) output.addAudioTrack(audioSource);
  if (videoFrameBytes !== undefined) output.addVideoTrack(videoSource, { frameRate: 25 });
  await output.start();
  let videoFrames = 0;
  const addVideo = async (until: number) => {
    if (videoFrameBytes === undefined) return;
    for (; videoFrames / 25 < until; videoFrames++) {
      const data = new Uint8Array(videoFrameBytes).fill(videoFrames);
      const packet = new EncodedPacket(data, 'key', videoFrames / 25, 1 / 25, videoFrames);
      const decoderConfig = { codec: 'vp09.00.10.08', codedWidth: 320, codedHeight: 240 };
      await videoSource.add(packet, { decoderConfig });
    }
  };
  const frames = audio ? Math.round(seconds / frameSeconds) : 0;
  const decoderConfig = { ...config, sampleRate: 48_000, numberOfChannels: 2 };
  for (let index = 0; index < frames; index++) {
    await addVideo(index * frameSeconds);
    const packet = new EncodedPacket(
      frame(index),
      'key',
      index * frameSeconds,
      frameSeconds,
      index,
    );
    await audioSource.add(packet, { decoderConfig });
  }
  await addVideo(seconds);
  await output.finalize();
  if (!target.buffer) throw new Error('The file was not made');
  return Buffer.from(target.buffer);
}

/** What an audio file holds: its codec, its length and the bytes of its frames. */
export async function readAudio(file: Uint8Array<ArrayBuffer>) {
  const input = new Input({ source: new BufferSource(file), formats: ALL_FORMATS });
  const track = await input.getPrimaryAudioTrack();
  if (!track) throw new Error('No audio track');
  const sink = new EncodedPacketSink(track);
  const frames: Uint8Array[] = [];
  for await (const packet of sink.packets()) frames.push(packet.data);
  return {
    codec: await track.getCodec(),
    durationSeconds: await track.computeDuration(),
    tracks: (await input.getTracks()).length,
    bytes: Buffer.concat(frames),
  };
}
