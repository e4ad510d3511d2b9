'use client';
import { useIsMutating } from '@tanstack/react-query';
import { useTRPC } from '@/src/ui/calls/trpc';

/** Whether an endpoint is being deleted: it may be gone already, and is not to be asked for. */
export function useIsBeingDeleted(): boolean {
  const mutationKey = useTRPC().webhooks.endpoints.delete.mutationKey();
  return useIsMutating({ mutationKey }) > 0;
}
