import { withSignal } from '../background/with-signal';

type Options = {
  /** Whether a later try may succeed: the reason lies in the moment, and not in link or file. */
  mayPass?: boolean;
  /** The Retry-After header of whoever refused. */
  retryAfter?: string | undefined;
  cause?: unknown;
};

/**
 * Why a video has no transcript, for the log: the link, the file or the speech-to-text service.
 * Nothing is wrong with this service.
 */
export class NotTranscribed extends Error {
  readonly mayPass: boolean;
  readonly retryAfter: string | undefined;

  constructor(reason: string, { mayPass = false, retryAfter, cause }: Options = {}) {
    super(reason, { cause });
    this.mayPass = mayPass;
    this.retryAfter = retryAfter;
  }
}

/**
 * Runs one step of a transcription under a deadline of its own within that of the whole. Whether
 * its own may hold another time is the step's to say; that of the whole may.
 * @throws NotTranscribed naming the step when either has passed; what the step throws
 */
export function withDeadline<T>(
  step: { name: string; timeoutMs: number; mayPass: boolean },
  whole: AbortSignal,
  task: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return withSignal({ stop: whole, timeoutMs: step.timeoutMs }, async (signal) => {
    try {
      return await task(signal);
    } catch (error) {
      if (!signal.aborted || error instanceof NotTranscribed) throw error;
      const mayPass = step.mayPass || whole.aborted;
      throw new NotTranscribed(`${step.name} took too long`, { mayPass, cause: error });
    }
  });
}
