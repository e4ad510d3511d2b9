'use client';
import { Button, Group } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { Note } from './note';

/** Asked where one leaves a form that may be out of sight; `what` is what is lost. */
export function Unsaved({ what, onDiscard }: { what: string; onDiscard: () => void }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // It may answer with a promise, which is nothing to call afterwards.
    place.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <div ref={place}>
      <Note tone="warning" role="alert">
        <Group justify="space-between" gap="sm">
          <span>{what} is not saved.</span>
          <Button size="xs" variant="default" onClick={onDiscard}>
            Discard
          </Button>
        </Group>
      </Note>
    </div>
  );
}
