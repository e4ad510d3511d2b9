import type { TRPCLink } from '@trpc/client';
import { tap } from '@trpc/server/observable';
import type { AppRouter } from '@/src/router';
import { codeOf } from '../calls/errors';
import { modeChanged } from './shown-mode';
import { signedOut } from './signed-out';

/**
 * Notes what an answer says of the session. Here every call passes, also one whose failure its caller
 * keeps to itself.
 */
export const noteSession: TRPCLink<AppRouter> =
  () =>
  ({ op, next }) => {
    const noteSignedOut = signedOut.whenAnswered();
    const noteModeChanged = modeChanged.whenAnswered();
    return next(op).pipe(
      tap({
        error(error) {
          if (codeOf(error) === 'UNAUTHORIZED') noteSignedOut();
          if (codeOf(error) === 'MODE_CHANGED') noteModeChanged();
        },
      }),
    );
  };
