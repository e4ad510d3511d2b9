import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { longTextCharacters, toStorable } from '../api/fields';
import { createFairPlaces, type FairPlaces } from '../fair-places';
import { withTemporaryFolder } from '../file-system/temporary-folder';
import { log } from '../logging/log';
import { singleton } from '../singleton';
import { type DownloadedMedia, downloadMedia } from './download';
import { extractAudio } from './extract';
import { transcriptionLimits as limits } from './limits';
import { NotTranscribed, withDeadline } from './not-transcribed';
import {
  type AudioFile,
  type SpeechToText,
  speechToText,
  type Transcript,
  transcribeAudio,
} from './speech-to-text';
import { copyUploaded, type Video } from './uploaded';

/**
 * Downloads a video and transcribes it. The first try, for which a request waits, takes its places
 * among those of all requests; later ones are few, and have places beside them.
 * @throws NotTranscribed where it cannot be; whatever else stands in the way, which may pass
 */
export async function transcribeVideo(
  video: Video,
  { isFirst, signal }: { isFirst: boolean; signal: AbortSignal },
): Promise<Transcript> {
  const service = speechToText();
  if (!service) {
    throw new NotTranscribed('no speech-to-text service is configured', { mayPass: true });
  }
  const places = isFirst
    ? { downloads: downloads(), speechToTexts: speechToTexts() }
    : { downloads: freeToAll, speechToTexts: freeToAll };
  const { text, language } = await withTemporaryFolder((folder) =>
    transcribe(video, { folder, service, signal, places }),
  );
  if (text === '') throw new NotTranscribed('nobody speaks in it');
  return { text: toStorable(text, longTextCharacters), language };
}

/** Says once per process, at its start where there is one, that videos are not transcribed. */
export function announceTranscription(): void {
  if (speechToText()) return;
  singleton('transcription-announcement', () => {
    log().info('Videos are not transcribed: set OPENAI_API_KEY, or OPENAI_BASE_URL to a server.');
    return true;
  });
}

type Setting = {
  folder: string;
  service: SpeechToText;
  signal: AbortSignal;
  places: { downloads: FairPlaces; speechToTexts: FairPlaces };
};

/**
 * The steps, each with places of its own. The next step's place is taken before this one's is given
 * back, so that no more files lie on the disk than there are places.
 */
async function transcribe(
  video: Video,
  { folder, service, signal, places }: Setting,
): Promise<Transcript> {
  const { accountId } = video;
  const leaveDownloads = await withDeadline(
    { name: 'waiting for a free place', timeoutMs: limits.placeTimeoutMs, mayPass: true },
    signal,
    (signal) => enter(places.downloads, accountId, signal),
  );
  let files: AudioFile[];
  let leaveSpeechToText: () => void;
  try {
    const mediaPath = join(folder, 'media');
    const media = await withDeadline(
      { name: 'the download', timeoutMs: limits.downloadTimeoutMs, mayPass: true },
      signal,
      async (signal) =>
        (await copyUploaded(video, mediaPath, signal)) ??
        downloadMedia(video.url, mediaPath, signal),
    );
    files = await extract(accountId, media, folder, signal);
    if (!files.some(({ path }) => path === mediaPath)) await rm(mediaPath);
    leaveSpeechToText = await enter(places.speechToTexts, accountId, signal);
  } finally {
    leaveDownloads();
  }
  try {
    return await withDeadline(
      { name: 'speech-to-text', timeoutMs: limits.speechToTextTimeoutMs, mayPass: true },
      signal,
      (signal) => transcribeAudio(service, files, signal),
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
    // What keeps a demuxer busy so long would do so again.
    return await withDeadline(
      {
        name: 'the extraction of the audio',
        timeoutMs: limits.extractionTimeoutMs,
        mayPass: false,
      },
      signal,
      (signal) => audioFiles(media, folder, signal),
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
  if (!leave) {
    throw new NotTranscribed('too many videos of the account wait already', { mayPass: true });
  }
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

/** Who has a place already waits for none. */
const freeToAll: FairPlaces = { enter: async () => () => {} };

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
