const MB = 1024 * 1024;

/** What a transcription may cost. */
export const transcriptionLimits = {
  /** Largest media file that is downloaded. */
  downloadBytes: 500 * MB,
  downloadTimeoutMs: 60_000,
  /** Redirects followed on the way to the file, each address checked. */
  redirects: 5,
  /** A link that is slower than this over a window keeps a place from others. A megabit a second. */
  downloadRate: { bytesPerSecond: 128 * 1024, windowMs: 5_000 },
  /** Downloads at once in a process, each with its file on the disk until the audio is out of it. */
  downloadsAtOnce: 8,
  /** Videos of one account that wait for a place to be downloaded, and for how long each. */
  waitingPerAccount: 16,
  placeTimeoutMs: 10_000,

  /** Copying the audio track out of the file. Junk can keep a demuxer busy without end. */
  extractionTimeoutMs: 10_000,
  extractionsAtOnce: 2,
  /** What a file may make the demuxer hold in buffers, beside its heap. A part and a read, with copies. */
  extractionBufferBytes: 192 * MB,
  /** Packets of audio. Opus has at most 400 of them in a second. */
  packets: 2_000_000,
  /** One file sent to the speech-to-text service; OpenAI's limit is 25 MB. */
  partBytes: 24 * MB,
  /** OpenAI's newer models refuse more than 25 minutes. */
  partSeconds: 20 * 60,
  parts: 9,
  /** What cannot be demuxed is sent as it is, up to this size. */
  wholeFileBytes: 25 * MB,

  speechToTextTimeoutMs: 120_000,
  /** Videos at the speech-to-text service at once, each with its audio on the disk. */
  speechToTextAtOnce: 16,
  /** Requests to the speech-to-text service at once, for the parts of one file. */
  partsAtOnce: 3,
  /** The answer of the speech-to-text service, for one part. */
  answerBytes: 4 * MB,

  /** Everything together, waiting for a free place included. */
  totalTimeoutMs: 190_000,

  /**
   * Later tries under way at once in a process, in places of their own beside those of requests. An
   * account may have as many of them as it leaves free.
   */
  laterTriesAtOnce: 4,
  /** What nobody renews for so long, because its process has died, is another's to try. */
  leaseMs: 15_000,
  renewLeasesEveryMs: 4_000,
  /** How often it is looked for what is due, where nothing was. */
  lookEveryMs: 1_000,
  /** Of what is left of deleted testimonials, ended of an account in one statement. */
  endedAtOnce: 500,
  /** In a process that does not stay, no try begins that has less time than this. */
  leastTryMs: 15_000,
  /** Tries in a row, from the first, that may end with their process and be made again at once. */
  interruptions: 3,
};

export type TranscriptionLimits = typeof transcriptionLimits;
