import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { z } from 'zod';
import type { ExtractionJob } from './extract-process.mjs';
import { type ExtractionResult, extractionResult } from './extraction-result';
import { type TranscriptionLimits, transcriptionLimits } from './limits';

/** How much memory a file may make the demuxer use; beyond it, its process ends. */
const maxHeapMb = 192;

/**
 * Copies the audio track of a media file into `outputFolder`, without decoding it, in parts that a
 * speech-to-text service takes. Runs in a process of its own, which is killed when `signal` is
 * aborted; tests give another program for it.
 * @throws Error when the process fails or sends something else; the signal's reason when it is aborted
 */
export function extractAudio(
  mediaPath: string,
  outputFolder: string,
  signal: AbortSignal,
  limits: TranscriptionLimits = transcriptionLimits,
  itsProgram?: string,
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
  const program = itsProgram ?? fileURLToPath(new URL('./extract-process.mjs', import.meta.url));
  const child = spawn(
    process.execPath,
    [`--max-old-space-size=${maxHeapMb}`, program, JSON.stringify(job)],
    // What it prints about a file would be lines of the service's log. It needs no secret of ours.
    { stdio: ['ignore', 'ignore', 'ignore', 'ipc'], env: { NODE_ENV: 'production' } },
  );
  return new Promise((resolve, reject) => {
    let sent: z.ZodSafeParseResult<ExtractionResult> | undefined;
    const kill = () => child.kill('SIGKILL');
    signal.addEventListener('abort', kill, { once: true });
    child.once('message', (message: unknown) => {
      sent = extractionResult.safeParse(message);
      kill();
    });
    child.once('error', reject);
    // By then it holds and writes no file any more.
    child.once('close', (code, by) => {
      signal.removeEventListener('abort', kill);
      if (sent?.success) resolve(sent.data);
      else if (signal.aborted) reject(signal.reason);
      else if (sent) reject(sent.error);
      else reject(new Error(`The extraction ended with ${by ?? `exit code ${code}`}.`));
    });
  });
}
