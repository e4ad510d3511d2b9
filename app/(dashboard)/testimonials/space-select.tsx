import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Outputs, useTRPC, useTRPCClient } from '@/src/ui/calls/trpc';
import { shownName } from '@/src/ui/components/shown-name';
import { eachOnce } from './paging';
import { maxChoices, spacesInput } from './spaces-input';
import type { InboxView } from './view';

type Space = Outputs['spaces']['list']['data'][number];

/** The newest spaces, and once one turns to it the older ones too. */
export function SpaceSelect(props: {
  view: InboxView;
  onChange: (changes: Partial<InboxView>) => void;
}) {
  const { space } = props.view;
  const trpc = useTRPC();
  const newest = useQuery(trpc.spaces.list.queryOptions(spacesInput));
  const older = useOlderSpaces(newest.data?.pagination.total ?? 0);
  const known = eachOnce([...(newest.data?.data ?? []), ...(older.spaces ?? [])]);
  const isUnknown = space !== undefined && !known.some(({ id }) => id === space);
  const asked = useQuery(
    trpc.spaces.get.queryOptions(
      { id: space ?? '' },
      { enabled: newest.data !== undefined && isUnknown },
    ),
  );
  const named = asked.data?.data;
  return (
    <NativeSelect
      size="xs"
      aria-label="Space"
      value={space ?? ''}
      onPointerEnter={older.want}
      onFocus={older.want}
      onChange={({ currentTarget: { value } }) => props.onChange({ space: value || undefined })}
      data={[
        { value: '', label: 'Every space' },
        ...(isUnknown ? [{ value: space, label: named ? shownName(named.name) : 'A space' }] : []),
        ...known.map(({ id, name }) => ({ value: id, label: shownName(name) })),
        ...(older.note ? [{ value: 'note', label: older.note, disabled: true }] : []),
      ]}
    />
  );
}

/** Those after the newest page, asked for by `want`; `note` says what of them is not among `spaces`. */
function useOlderSpaces(total: number) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const [isWanted, setIsWanted] = useState(false);
  const { limit } = spacesInput;
  const hasOlder = total > limit;
  const read = useQuery({
    queryKey: [...trpc.spaces.list.queryKey(spacesInput), 'older'],
    enabled: isWanted && hasOlder,
    queryFn: async ({ signal }) => {
      const spaces: Space[] = [];
      for (let offset = limit; offset < maxChoices; offset += limit) {
        const page = await client.spaces.list.query({ limit, offset }, { signal });
        spaces.push(...page.data);
        if (!page.pagination.has_more) break;
      }
      return spaces;
    },
  });
  return {
    spaces: read.data,
    want() {
      setIsWanted(true);
      if (read.isError) void read.refetch();
    },
    note: hasOlder && noteOn(read, total),
  };
}

function noteOn(read: { isError: boolean; data: unknown }, total: number): string | undefined {
  if (read.data === undefined) {
    return read.isError ? 'Older spaces could not be loaded' : 'Loading older spaces…';
  }
  return total > maxChoices ? 'Older spaces are opened from the page of spaces' : undefined;
}
