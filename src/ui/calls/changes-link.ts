import type { QueryClient } from '@tanstack/react-query';
import type { TRPCLink } from '@trpc/client';
import { tap } from '@trpc/server/observable';
import type { AppRouter } from '@/src/router';
import { isGone, isUncertain, noteUnanswered } from './errors';

/**
 * Has all that is shown read anew after a change that failed and may be made all the same, or that was
 * of something that is gone: what is shown may be old then. Offline, nothing is sent.
 */
export const lookAfterChanges =
  (client: QueryClient): TRPCLink<AppRouter> =>
  () =>
  ({ op, next }) => {
    if (op.type !== 'mutation') return next(op);
    const wasSent = navigator.onLine;
    return next(op).pipe(
      tap({
        error(error) {
          if (wasSent) noteUnanswered(error);
          if (isGone(error) || isUncertain(error)) void client.invalidateQueries();
        },
      }),
    );
  };
