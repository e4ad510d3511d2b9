import { answerLimitMs } from '../calls/answer-limit';
import { describeAnswer } from '../calls/describe-answer';
import { unreached, wordsForSignedOut } from '../calls/failure-words';
import { whenToTryAgain } from '../calls/when-to-try-again';
import { ofShownAccount } from './shown-account';
import { signedOut } from './signed-out';

/**
 * What the sign-in service answered: why not, for the person in front of the form; or else what.
 * `mayPass` where the same may go well when it is sent again, `mayBeDone` where nobody knows whether it
 * was done, `isSignedOut` where the session is over.
 */
export type Outcome = {
  problem?: string;
  mayPass?: boolean;
  mayBeDone?: boolean;
  isSignedOut?: boolean;
  data?: unknown;
};

/**
 * Asks the sign-in service. `ifSent` is the problem where it was sent, and nobody knows whether it was
 * done; `problems` are those that have a code of their own.
 */
export async function callSignIn(
  path: string,
  body: unknown,
  { ifSent, problems = {} }: { ifSent?: string; problems?: Record<string, string> } = {},
): Promise<Outcome> {
  const noteSignedOut = signedOut.whenAnswered();
  const mayBeDone = navigator.onLine && ifSent !== undefined;
  const notAnswered = { problem: mayBeDone ? ifSent : unreached, mayPass: true, mayBeDone };
  try {
    const response = await fetch(`/api/auth${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...ofShownAccount() },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(answerLimitMs()),
    });
    const answer = await response.json().catch(() => null);
    // The service answers with an object; something between may say 200 to anything, with a page.
    if (response.ok) return answer ? { data: answer } : notAnswered;
    // Of a gateway that had no answer in time, or lost it.
    if (ifSent && !answer && [502, 504].includes(response.status)) return notAnswered;
    const code: unknown = answer?.code;
    if (code === 'UNAUTHORIZED') noteSignedOut();
    const known = typeof code === 'string' ? problems[code] : undefined;
    return {
      problem: known ?? describe(response, code, answer?.message),
      mayPass: response.status === 429 || response.status >= 500,
      isSignedOut: code === 'UNAUTHORIZED',
    };
  } catch {
    return notAnswered;
  }
}

function describe(answer: Response, code: unknown, message: unknown): string {
  const { status, headers } = answer;
  if (code === 'UNAUTHORIZED') return wordsForSignedOut;
  if (status === 429) return `Too many tries. ${whenToTryAgain(headers.get('Retry-After'))}`;
  // Refusals are written for people; texts of failures are not.
  if ([403, 410, 422].includes(status) && typeof message === 'string') return message;
  const refused =
    typeof code !== 'string' || code === 'OVERLOADED' ? describeAnswer(answer) : undefined;
  return refused ?? 'Something went wrong on our side. Try again in a moment.';
}
