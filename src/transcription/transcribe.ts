import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { firstCharacters, longTextCharacters } from '../api/fields';
import { createFairPlaces, type FairPlaces } from '../fair-places';
import { log } from '../log';
import { singleton } from '../singleton';
import { withTemporaryFolder } from '../temporary-folder';
import { type DownloadedMedia, downloadMedia } from './download';
import { extractAudio } from './extract';
import { transcriptionLimits as limits } from './limits';
import { NotTranscribed, withDeadline } from './not-transcribed';
import { type AudioFile, type SpeechToText, speechToText, transcribeAudio } from './speech-to-text';

export type Video = {
  accountId: string;
  testimonialId: string;
  url: string;
  /** Saves the transcript; false where the testimonial is not as it was created from that link. */
  save: (transcript: string) => Promise<boolean>;
};

/**
 * Downloads the video of a testimonial, transcribes it, and has the transcript saved. Never throws: a video that cannot be transcribed leaves the testimonial as it
 * is, and the reason in the log. Contract, POST /testimonials.
 */
export async function transcribeVideo(video: Video): Promise<void> {
  const service = speechToText();
  if (!service) return announceTranscription();
  const { accountId, testimonialId } = video;
  const startedAt = performance.now();
  const line = (fields: Record<string, unknown>) => ({
    accountId,
    testimonialId,
    durationMs: Math.round(performance.now() - startedAt),
    ...fields,
  });
  try {
    const signal = AbortSignal.timeout(limits.totalTimeoutMs);
    const transcript = await withTemporaryFolder((folder) =>
      transcribe(video, folder, service, signal),
    );
    if (transcript === '') throw new NotTranscribed('nobody speaks in it');
    await save(video, transcript);
    log().info(line({ characters: transcript.length }), 'video transcribed');
  } catch (error) {
    if (error instanceof NotTranscribed) {
      log().warn(line({ reason: error.message }), 'video not transcribed');
    } else {
      log().error(line({ err: error }), 'video not transcribed');
    }
  }
}

/** Says once per process, at its start where there is one, that videos are not transcribed. */
export function announceTranscription(): void {
  if (speechToText()) return;
  singleton('transcription-announcement', () => {
    log().info('Videos are not transcribed: set OPENAI_API_KEY, or OPENAI_BASE_URL to a server.');
    return true;
  });
}

/**
 * The steps, each with places of its own. The next step's place is taken before this one's is given
 * back, so that no more files lie on the disk than there are places.
 */
async function transcribe(
  { accountId, url }: Video,
  folder: string,
  service: SpeechToText,
  signal: AbortSignal,
): Promise<string> {
  const leaveDownloads = await withDeadline(
    'waiting for a free place',
    limits.placeTimeoutMs,
    signal,
    (signal) => enter(downloads(), accountId, signal),
  );
  let files: AudioFile[];
  let leaveSpeechToText: () => void;
  try {
    const mediaPath = join(folder, 'media');
    const media = await withDeadline('the download', limits.downloadTimeoutMs, signal, (signal) =>
      downloadMedia(url, mediaPath, signal),
    );
    files = await extract(accountId, media, folder, signal);
    if (!files.some(({ path }) => path === mediaPath)) await rm(mediaPath);
    leaveSpeechToText = await enter(speechToTexts(), accountId, signal);
  } finally {
    leaveDownloads();
  }
  try {
    return await withDeadline('speech-to-text', limits.speechToTextTimeoutMs, signal, (signal) =>
      transcribeAudio(service, files, signal),
    );
  } finally {
    leaveSpeechToText();
  }
}

async function extract(
  accountId: string,
  media: DownloadedMedia,
  folder: string,
  signal: AbortSignal,
): Promise<AudioFile[]> {
  const leave = await enter(extractions(), accountId, signal);
  try {
    const step = 'the extraction of the audio';
    return await withDeadline(step, limits.extractionTimeoutMs, signal, (signal) =>
      audioFiles(media, folder, signal),
    );
  } finally {
    leave();
  }
}

async function enter(
  places: FairPlaces,
  accountId: string,
  signal: AbortSignal,
): Promise<() => void> {
  const leave = await places.enter(accountId, signal);
  if (!leave) throw new NotTranscribed('too many videos of the account wait already');
  return leave;
}

/** What goes to the speech-to-text service: the audio track, or the file where it is small. */
async function audioFiles(
  media: DownloadedMedia,
  folder: string,
  signal: AbortSignal,
): Promise<AudioFile[]> {
  const result = await extractAudio(media.path, folder, signal);
  if (result.kind === 'extracted') return result.parts;
  const isSendable = result.kind === 'not-demuxable' && media.sizeBytes <= limits.wholeFileBytes;
  if (!isSendable) throw new NotTranscribed(result.reason);
  const { path, container } = media;
  return [{ path, fileName: `media.${container}`, contentType: 'application/octet-stream' }];
}

async function save({ save }: Video, transcript: string): Promise<void> {
  // Postgres text holds neither NUL nor half a surrogate pair. The end of hours of speech is left out.
  const text = firstCharacters(transcript.replaceAll('\0', '').toWellFormed(), longTextCharacters);
  if (!(await save(text))) throw new NotTranscribed('the testimonial was deleted meanwhile');
}

const downloads = () =>
  singleton('transcription-downloads', () =>
    createFairPlaces({
      total: limits.downloadsAtOnce,
      waitingPerKey: limits.waitingPerAccount,
      sparing: true,
    }),
  );

/** Short, and only those wait who hold a place above: turns are enough. */
const extractions = () =>
  singleton('transcription-extractions', () =>
    createFairPlaces({
      total: limits.extractionsAtOnce,
      waitingPerKey: limits.downloadsAtOnce,
      sparing: false,
    }),
  );

const speechToTexts = () =>
  singleton('transcription-speech-to-text', () =>
    createFairPlaces({
      total: limits.speechToTextAtOnce,
      waitingPerKey: limits.downloadsAtOnce,
      sparing: true,
    }),
  );
