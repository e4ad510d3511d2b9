import { Progress, Stack, Text } from '@mantine/core';
import { Note } from '@/src/ui/components/note';

export function Storage(account: { stored_bytes: number; quota_bytes: number }) {
  const { stored_bytes: used, quota_bytes: quota } = account;
  const isFull = used >= quota;
  return (
    <Stack gap={8}>
      <Text size="sm">
        {bytes(used)} of {bytes(quota)} used
      </Text>
      <Progress
        value={Math.min(100, (used / quota) * 100)}
        color={isFull ? 'red' : undefined}
        size="sm"
        aria-label="Storage used"
      />
      {isFull && (
        <Note tone="bad">
          Nothing can be added until there is room. Deleting a space with testimonials makes it at
          once; deleting a testimonial, once its events are gone after 30 days.
        </Note>
      )}
    </Stack>
  );
}

function bytes(count: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(count, 1)) / 10));
  const value = count / 1024 ** power;
  return `${value.toLocaleString('en', { maximumFractionDigits: value < 10 && power > 0 ? 1 : 0 })} ${units[power]}`;
}
