import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '@/src/ui/calls/trpc';
import { Instant } from '@/src/ui/time/instant';
import type { ApiKey } from './key-table';

/**
 * For who is about to take a key away: whether somebody would miss it. Asked anew, since the list may be
 * from before the key was given to what uses it.
 */
export function LastUse({ apiKey }: { apiKey: ApiKey }) {
  const { id } = apiKey;
  const latest = useQuery(useTRPC().apiKeys.get.queryOptions({ id }, { staleTime: 0, gcTime: 0 }));
  const at = latest.data?.last_used_at ?? apiKey.last_used_at;
  const unused = () => {
    if (latest.data) return 'The key was never used.';
    return latest.isError ? 'Whether the key was used is not known.' : 'Looking up its last use…';
  };
  return (
    <Text size="sm" fw={500} component="div" role="status">
      {at ? (
        <>
          Last used: <Instant at={at} />.
        </>
      ) : (
        unused()
      )}
    </Text>
  );
}
