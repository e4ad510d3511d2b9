import { eitherSignal } from '@/src/ui/browser/either-signal';
import { formatBody } from '@/src/ui/code/format-body';
import type { Call } from './call';

export type Sent =
  | { status: number; statusText: string; durationMs: number; headers: string; body: string }
  | { failure: string };

const timeoutMs = 30_000;

/** More would make the page slow; a list of a hundred has about half. */
const shownCharacters = 200_000;

const tooLate = `There was no answer within ${timeoutMs / 1000} seconds, and it may be done all the same. Wait a moment, and look before you send it again.`;
const unanswered =
  'No answer came from the service, so this may be done or not. Check your connection, and look before you send it again.';
const unreached = 'The service could not be reached. Check your connection and send it again.';

const stoppedWords = 'Stopped before there was an answer.';
const stoppedMayBeDone = `${stoppedWords} It may be done all the same: look before you send it again.`;

/** Whether a request without an answer may have changed something. Offline, nothing is sent. */
const mayBeDone = (method: string) => method !== 'GET' && navigator.onLine;

/**
 * Sends the request with the key alone, as a client elsewhere would: never with the session. `stopped`
 * ends the wait for the answer.
 */
export async function sendCall({ url, ...init }: Call, stopped: AbortSignal): Promise<Sent> {
  const start = performance.now();
  const late = AbortSignal.timeout(timeoutMs);
  const signal = eitherSignal(late, stopped);
  let request: Request;
  try {
    request = new Request(url, { ...init, credentials: 'omit', cache: 'no-store', signal });
  } catch {
    // Of a call, headers alone are not encoded.
    return {
      failure: 'The key, or another header, has signs that cannot be sent. Copy the key again.',
    };
  }
  try {
    const response = await fetch(request);
    const text = await response.text();
    return {
      status: response.status,
      statusText: response.statusText,
      durationMs: Math.round(performance.now() - start),
      headers: [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n'),
      body: readable(text),
    };
  } catch {
    if (stopped.aborted)
      return { failure: mayBeDone(init.method) ? stoppedMayBeDone : stoppedWords };
    return { failure: late.aborted ? tooLate : mayBeDone(init.method) ? unanswered : unreached };
  }
}

/** Cut where it is very long. */
function readable(text: string): string {
  const formatted = formatBody(text);
  return formatted.length > shownCharacters ? `${formatted.slice(0, shownCharacters)}…` : formatted;
}
