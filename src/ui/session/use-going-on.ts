'use client';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import type { createFlag } from '../browser/flag';
import { takeOther } from './shown-mode';

/**
 * What ends an interruption: to be called once the session is again what this tab shows, of which
 * `interrupted` said that it was not. The page stays as it is, with what is typed in it, and reads anew.
 */
export function useGoingOn(
  interrupted: Pick<ReturnType<typeof createFlag>, 'note'>,
): () => Promise<void> {
  const router = useRouter();
  const queryClient = useQueryClient();
  return async () => {
    // What was asked for meanwhile must not say so afterwards.
    await queryClient.cancelQueries();
    interrupted.note(false);
    // What was rendered for another account or mode was not shown.
    if (takeOther()) router.refresh();
    void queryClient.invalidateQueries();
  };
}
