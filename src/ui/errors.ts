import { TRPCClientError } from '@trpc/client';
import { unreached } from './unreached';
import { whenToTryAgain } from './when-to-try-again';
import { wordsForSignedOut } from './words-for-signed-out';

/** The code of the error table, where a procedure answered with one. */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof TRPCClientError)) return undefined;
  const code: unknown = error.data?.code;
  return typeof code === 'string' ? code : undefined;
}

/** The status that something answered with, a proxy as well; undefined where nothing did. */
export function statusOf(error: unknown): number | undefined {
  return responseOf(error)?.status;
}

/** Whether the page waited for an answer for as long as it does. */
export function isLate(error: unknown): boolean {
  return error instanceof TRPCClientError && error.cause?.name === 'TimeoutError';
}

function responseOf(error: unknown): Response | undefined {
  if (!(error instanceof TRPCClientError)) return undefined;
  const response: unknown = error.meta?.response;
  return response instanceof Response ? response : undefined;
}

/** Whether what was asked for, or was to be changed, is not there any more. */
export function isGone(error: unknown): boolean {
  return codeOf(error)?.endsWith('_NOT_FOUND') ?? false;
}

/** A failure whose message is written for the person in front of the page. */
export class SpokenError extends Error {}

/** What went wrong and what to do about it, for the person in front of the page. */
export function describeError(error: unknown): string {
  if (error instanceof SpokenError) return error.message;
  const code = codeOf(error);
  switch (code) {
    case undefined:
      return describeAnswer(responseOf(error));
    case 'UNAUTHORIZED':
      return wordsForSignedOut;
    case 'MODE_CHANGED':
      return 'Test mode was switched in another tab. Nothing was changed.';
    case 'TESTIMONIAL_NOT_FOUND':
      return 'This testimonial was deleted meanwhile.';
    case 'SPACE_NOT_FOUND':
      return 'This space was deleted meanwhile.';
    case 'API_KEY_NOT_FOUND':
      return 'This key was deleted meanwhile. The list is up to date again.';
    case 'WEBHOOK_ENDPOINT_NOT_FOUND':
      return 'This endpoint was deleted meanwhile.';
    case 'VALIDATION_ERROR':
      return 'Something in the form is not valid. Check the fields and try again.';
    case 'INTERNAL_ERROR':
      return 'Something went wrong on our side. Try again in a moment.';
    default:
      return error instanceof Error ? error.message : 'Try again in a moment.';
  }
}

function describeAnswer(answer: Response | undefined): string {
  if (!answer || answer.status < 400) return unreached;
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
