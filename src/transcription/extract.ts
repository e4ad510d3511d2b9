import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { ExtractionJob, ExtractionResult } from './extract-process.mjs';
import { type TranscriptionLimits, transcriptionLimits } from './limits';

/** How much memory a file may make the demuxer use; beyond it, its process ends. */
const maxHeapMb = 192;

/**
 * Copies the audio track of a media file into `outputFolder`, without decoding it, in parts that a
 * speech-to-text service takes. Runs in a process of its own, which is killed when `signal` is
 * aborted.
 * @throws Error when the process fails; the signal's reason when it is aborted
 */
export function extractAudio(
  mediaPath: string,
  outputFolder: string,
  signal: AbortSignal,
  limits: TranscriptionLimits = transcriptionLimits,
): Promise<ExtractionResult> {
  signal.throwIfAborted();
  const job: ExtractionJob = {
    mediaPath,
    outputFolder,
    maxPartBytes: limits.partBytes,
    maxPartSeconds: limits.partSeconds,
    maxParts: limits.parts,
    maxPackets: limits.packets,
  };
  const program = fileURLToPath(new URL('./extract-process.mjs', import.meta.url));
  const child = spawn(
    process.execPath,
    [`--max-old-space-size=${maxHeapMb}`, program, JSON.stringify(job)],
    // What it prints about a file would be lines of the service's log. It needs no secret of ours.
    { stdio: ['ignore', 'ignore', 'ignore', 'ipc'], env: { NODE_ENV: 'production' } },
  );
  return new Promise((resolve, reject) => {
    let result: ExtractionResult | undefined;
    const kill = () => child.kill('SIGKILL');
    signal.addEventListener('abort', kill, { once: true });
    child.once('message', (message: ExtractionResult) => {
      result = message;
      kill();
    });
    child.once('error', reject);
    // By then it holds and writes no file any more.
    child.once('close', (code, by) => {
      signal.removeEventListener('abort', kill);
      if (result) resolve(result);
      else if (signal.aborted) reject(signal.reason);
      else reject(new Error(`The extraction ended with ${by ?? `exit code ${code}`}.`));
    });
  });
}
