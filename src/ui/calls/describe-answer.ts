import { whenToTryAgain } from './when-to-try-again';

/**
 * What an answer that says no more than its status means for who waits, as where a proxy or the service
 * in front has refused; undefined where it refuses nothing.
 */
export function describeAnswer(answer: Response | undefined): string | undefined {
  if (!answer || answer.status < 400) return undefined;
  const { status, headers } = answer;
  const retryAfter = headers.get('Retry-After');
  if (status === 413) return 'That is more than can be sent at once. Shorten it, or choose less.';
  if (status === 429) return `That was a lot at once. ${whenToTryAgain(retryAfter)}`;
  if (status >= 500) {
    const when = retryAfter ? whenToTryAgain(retryAfter) : 'Try again in a moment.';
    return `The service cannot answer just now. ${when}`;
  }
  return `This was refused on its way to the service (${status}). If it stays so, tell whoever runs it.`;
}
