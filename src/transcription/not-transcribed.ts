/**
 * Why a video has no transcript, for the log: the link, the file or the speech-to-text service.
 * Nothing is wrong with this service.
 */
export class NotTranscribed extends Error {}

/**
 * Runs one step of a transcription under a deadline of its own within that of the whole.
 * @throws NotTranscribed naming the step when either has passed; what the step throws
 */
export async function withDeadline<T>(
  step: string,
  timeoutMs: number,
  whole: AbortSignal,
  task: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const signal = AbortSignal.any([whole, AbortSignal.timeout(timeoutMs)]);
  try {
    return await task(signal);
  } catch (error) {
    if (!signal.aborted || error instanceof NotTranscribed) throw error;
    throw new NotTranscribed(`${step} took too long`, { cause: error });
  }
}
