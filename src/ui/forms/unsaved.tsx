'use client';
import { Button, Group } from '@mantine/core';
import { InSight } from '../browser/in-sight';
import { Note } from '../components/note';

/** Asked where one leaves a form that may be out of sight; `what` is what is lost. */
export function Unsaved({ what, onDiscard }: { what: string; onDiscard: () => void }) {
  return (
    <InSight>
      <Note tone="warning" role="alert">
        <Group justify="space-between" gap="sm">
          <span>{what} is not saved.</span>
          <Button size="xs" variant="default" onClick={onDiscard}>
            Discard
          </Button>
        </Group>
      </Note>
    </InSight>
  );
}
