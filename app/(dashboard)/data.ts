import { QueryCache } from '@tanstack/react-query';
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query';
import { headers } from 'next/headers';
import { notFound, redirect } from 'next/navigation';
import { cache } from 'react';
import { addressHeader, nextPath } from '@/app/sign-in/next-path';
import { sessionPrincipal } from '@/src/accounts/auth/session';
import { toApiError } from '@/src/api/errors';
import { modeOf, ownerOf, type Principal } from '@/src/api/principal';
import { dashboardContext, logFailedProcedure } from '@/src/dashboard';
import { appRouter } from '@/src/router';
import { createQueryClient } from '@/src/ui/calls/query-client';

/**
 * Who is signed in; anyone else is sent to sign in, and comes back to the address that was asked for. The
 * layout calls it before anything is answered, and every page too, because a layout is not rendered again
 * when a person goes from one of its pages to another.
 */
export async function requireSession(): Promise<Principal> {
  const principal = await currentPrincipal();
  if (principal) return principal;
  const next = nextPath((await headers()).get(addressHeader));
  redirect(`/sign-in?next=${encodeURIComponent(next)}`);
}

/** Once per request, however many ask. */
export const currentPrincipal = cache(async () => sessionPrincipal(await headers()));

/**
 * The procedures, called in this process, the cache that their answers go into, and the mode and the
 * account they are of. A page hands the last two to its components with PageData, so that the first
 * paint has the answers. Once per request: what a page's title has read is not read again.
 */
export const serverData = cache(async () => {
  const principal = await requireSession();
  const queryClient = createQueryClient({
    queryCache: new QueryCache({
      onError: (error, { queryKey }) => logFailedProcedure(error, JSON.stringify(queryKey[0])),
    }),
  });
  const ctx = dashboardContext(principal);
  const trpc = createTRPCOptionsProxy({ ctx, router: appRouter, queryClient });
  return { queryClient, trpc, shown: { mode: modeOf(principal), account: ownerOf(principal) } };
});

/**
 * Answers the page that does not exist where the service says so of what the page is about, or
 * where the id in the address is none. Any other failure is left to the components to show.
 */
export async function requireExisting(answer: Promise<unknown>): Promise<void> {
  try {
    await answer;
  } catch (error) {
    const { status } = toApiError(error);
    if (status === 404 || status === 400) notFound();
  }
}
