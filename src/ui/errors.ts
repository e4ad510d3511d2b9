import { TRPCClientError } from '@trpc/client';

/** The code of the error table, where a procedure answered with one. */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof TRPCClientError)) return undefined;
  const code: unknown = error.data?.code;
  return typeof code === 'string' ? code : undefined;
}

/** What went wrong and what to do about it, for the person in front of the page. */
export function describeError(error: unknown): string {
  const code = codeOf(error);
  switch (code) {
    case undefined:
      return 'The service could not be reached. Check your connection and try again.';
    case 'UNAUTHORIZED':
      return 'You were signed out before this was done. Once you are signed in, try again.';
    case 'MODE_CHANGED':
      return 'Test mode was switched in another tab. Nothing was changed.';
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
