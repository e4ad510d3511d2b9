import { Text } from '@mantine/core';
import { Instant } from '@/src/ui/instant';

/** For who is about to take a key away: whether somebody would miss it. */
export function LastUse({ at }: { at: string | null }) {
  return (
    <Text size="sm" fw={500} component="div">
      {at ? (
        <>
          Last used: <Instant at={at} />.
        </>
      ) : (
        'The key was never used.'
      )}
    </Text>
  );
}
