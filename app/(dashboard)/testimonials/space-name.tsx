'use client';
import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '@/src/ui/calls/trpc';
import { shownName } from '@/src/ui/components/shown-name';
import { spacesInput } from './spaces-input';

/** Of the spaces that the page knows, else asked for; empty until it is known. */
export function SpaceName({ id }: { id: string }) {
  const trpc = useTRPC();
  const spaces = useQuery(trpc.spaces.list.queryOptions(spacesInput));
  const known = spaces.data?.data.find((space) => space.id === id);
  const asked = useQuery(
    trpc.spaces.get.queryOptions(
      { id },
      { enabled: spaces.data !== undefined && !known, staleTime: Number.POSITIVE_INFINITY },
    ),
  );
  const space = known ?? asked.data?.data;
  return <bdi>{space && shownName(space.name)}</bdi>;
}
