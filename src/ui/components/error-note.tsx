import { Button, Group } from '@mantine/core';
import { FocusHeir } from '../browser/focus-heir';
import { describeError, isGone } from '../calls/errors';
import { Note } from './note';

/**
 * A failure in words, read out at once, of what has the name `about`; with `retry` also a way to try
 * again, unless what was asked for is gone. The note goes with the failure: the focus then goes to the page or the dialog it is in.
 */
export function ErrorNote({
  error,
  about,
  retry,
}: {
  error?: unknown;
  about?: string;
  retry?: () => void;
}) {
  if (!error) return null;
  return (
    <Note tone="bad" role="alert">
      <Group justify="space-between" gap="sm">
        <span>
          {about !== undefined && (
            <>
              “<bdi>{about}</bdi>”:{' '}
            </>
          )}
          {describeError(error)}
        </span>
        {retry && !isGone(error) && (
          <Button size="xs" variant="default" onClick={retry}>
            Try again
          </Button>
        )}
        <FocusHeir id={undefined} />
      </Group>
    </Note>
  );
}
