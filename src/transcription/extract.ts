import { Worker } from 'node:worker_threads';
import type { ExtractionJob, ExtractionResult } from './extract-worker.mjs';
import { type TranscriptionLimits, transcriptionLimits } from './limits';

/** How much JavaScript heap a file may make the demuxer use; beyond it, its thread ends. */
const maxHeapMb = 192;

/**
 * Copies the audio track of a media file into `outputFolder`, without decoding it, in parts that a
 * speech-to-text service takes. Runs in a thread of its own, which is ended when `signal` is
 * aborted.
 * @throws Error when the thread fails; the signal's reason when it is aborted
 */
export async function extractAudio(
  mediaPath: string,
  outputFolder: string,
  signal: AbortSignal,
  limits: TranscriptionLimits = transcriptionLimits,
): Promise<ExtractionResult> {
  signal.throwIfAborted();
  const workerData: ExtractionJob = {
    mediaPath,
    outputFolder,
    maxPartBytes: limits.partBytes,
    maxPartSeconds: limits.partSeconds,
    maxParts: limits.parts,
    maxPackets: limits.packets,
  };
  const worker = new Worker(new URL('./extract-worker.mjs', import.meta.url), {
    workerData,
    env: {},
    execArgv: [],
    // What the demuxer prints about a file would be lines of the service's log.
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
  });
  worker.stdout.resume();
  worker.stderr.resume();
  try {
    return await new Promise((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
      worker.once('exit', () => reject(new Error('The extraction thread ended without a result.')));
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
  } finally {
    await worker.terminate();
  }
}
