import { TRPCClientError } from '@trpc/client';
import type { AppRouter } from '@/src/router';
import { describeAnswer } from './describe-answer';
import { unanswered, unreached, wordsForSignedOut } from './failure-words';

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

/** Says of a change that was sent, and failed without an answer, that it may be made. */
export function noteUnanswered(error: TRPCClientError<AppRouter>): void {
  const status = statusOf(error) ?? 0;
  if (codeOf(error) === undefined && status < 400)
    error.meta = { ...error.meta, isUnanswered: true };
}

function isUnanswered(error: unknown): boolean {
  return error instanceof TRPCClientError && error.meta?.isUnanswered === true;
}

/** Whether a change that failed so may be made all the same. */
export function isUncertain(error: unknown): boolean {
  const code = codeOf(error);
  if (code !== undefined) return code === 'INTERNAL_ERROR' || code.startsWith('IDEMPOTENCY_KEY_');
  return isUnanswered(error) || (statusOf(error) ?? 0) >= 500;
}

/** A failure whose message is written for the person in front of the page. */
export class SpokenError extends Error {}

/** What went wrong and what to do about it, for the person in front of the page. */
export function describeError(error: unknown): string {
  if (error instanceof SpokenError) return error.message;
  const code = codeOf(error);
  switch (code) {
    case undefined:
      return isUnanswered(error) ? unanswered : (describeAnswer(responseOf(error)) ?? unreached);
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
    case 'IDEMPOTENCY_KEY_REUSED':
      return 'Your first try was done after all, as this was filled in then; only its answer was lost. Close this and look at what is there.';
    case 'IDEMPOTENCY_KEY_IN_USE':
      return 'Your first try is still under way. Try again in a moment.';
    case 'INTERNAL_ERROR':
      return 'Something went wrong on our side. Try again in a moment.';
    default:
      return error instanceof Error ? error.message : 'Try again in a moment.';
  }
}
