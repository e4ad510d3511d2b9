import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { z } from 'zod';
import { readProcessStat, tickMs } from '../process-stat';
import type { ExtractionJob } from './extract-process.mjs';
import { type ExtractionResult, extractionResult } from './extraction-result';
import { type TranscriptionLimits, transcriptionLimits } from './limits';
import { NotTranscribed } from './not-transcribed';

/** How much heap a file may make the demuxer use; beyond it, its process ends. Buffers are none of it. */
const maxHeapMb = 192;

/** V8 aborts a process at that bound; where the machine has no memory, it is killed. */
const needsTooMuch = 'the extraction of the audio needs more memory than it may have';

/** Of the time that it had. With less of the processor it is not the file that has kept it so long. */
const leastProcessorShare = 0.25;

/**
 * Copies the audio track of a media file into `outputFolder`, without decoding it, in parts that a
 * speech-to-text service takes. Runs in a process of its own, which is killed when `signal` is
 * aborted; tests give another program for it.
 * @throws Error when the process fails or sends something else; NotTranscribed where its heap is full;
 *   when `signal` is aborted, its reason, or NotTranscribed, which may pass, where the machine had no
 *   time for the process (known on Linux)
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
    maxBufferBytes: limits.extractionBufferBytes,
  };
  const program = itsProgram ?? fileURLToPath(new URL('./extract-process.mjs', import.meta.url));
  const child = spawn(
    process.execPath,
    [`--max-old-space-size=${maxHeapMb}`, '--expose-gc', program, JSON.stringify(job)],
    // What it prints about a file would be lines of the service's log. It needs no secret of ours.
    { stdio: ['ignore', 'ignore', 'ignore', 'ipc'], env: { NODE_ENV: 'production' } },
  );
  return new Promise((resolve, reject) => {
    let sent: z.ZodSafeParseResult<z.infer<typeof extractionResult>> | undefined;
    let hadNoTime = false;
    const begunAt = performance.now();
    const kill = () => child.kill('SIGKILL');
    const giveUp = () => {
      const leastMs = (performance.now() - begunAt) * leastProcessorShare;
      hadNoTime = child.pid !== undefined && processorMs(child.pid) < leastMs;
      kill();
    };
    signal.addEventListener('abort', giveUp, { once: true });
    child.once('message', (message: unknown) => {
      sent = extractionResult.safeParse(message);
      kill();
    });
    child.once('error', reject);
    // By then it holds and writes no file any more.
    child.once('close', (code, by) => {
      signal.removeEventListener('abort', giveUp);
      const result = sent?.data;
      if (result && result.kind !== 'failed') resolve(result);
      else if (result) reject(new Error(`The extraction failed: ${result.reason}`));
      else if (hadNoTime) reject(noTime(signal.reason));
      else if (signal.aborted) reject(signal.reason);
      else reject(sent?.error ?? endedBy(code, by));
    });
  });
}

/** Why a process ended that has sent nothing. */
function endedBy(code: number | null, signal: NodeJS.Signals | null): Error {
  return signal === 'SIGABRT'
    ? new NotTranscribed(needsTooMuch)
    : new Error(`The extraction ended with ${signal ?? `exit code ${code}`}.`);
}

function noTime(cause: unknown): NotTranscribed {
  const reason = 'the machine had too little time for the extraction of the audio';
  return new NotTranscribed(reason, { mayPass: true, cause });
}

/** How long a process has had a processor; without end where the system does not tell. */
function processorMs(pid: number): number {
  try {
    const stat = readProcessStat(pid);
    return (Number(stat[11]) + Number(stat[12])) * tickMs;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
