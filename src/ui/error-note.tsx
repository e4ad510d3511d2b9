import { Button, Group } from '@mantine/core';
import { describeError } from './errors';
import { Note } from './note';

/** A failure in words, read out at once; with `retry` also a way to try again. */
export function ErrorNote({ error, retry }: { error?: unknown; retry?: () => void }) {
  if (!error) return null;
  return (
    <Note tone="bad" role="alert">
      <Group justify="space-between" gap="sm">
        <span>{describeError(error)}</span>
        {retry && (
          <Button size="xs" variant="default" onClick={retry}>
            Try again
          </Button>
        )}
      </Group>
    </Note>
  );
}
