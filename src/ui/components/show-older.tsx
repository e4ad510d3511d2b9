'use client';
import { Stack } from '@mantine/core';
import { useState } from 'react';
import { FocusHeir } from '../browser/focus-heir';
import { BusyButton } from './busy-button';
import { ErrorNote } from './error-note';

/**
 * Asks for the rows after the last, and says where they do not come. Once there are no more it is
 * gone: the focus then goes to the element with the id `heir`, in what was the last row until then, so
 * that what has come follows it; or to the page.
 */
export function ShowOlder(props: {
  isPending: boolean;
  error: unknown;
  heir?: string;
  onClick: () => void;
}) {
  const [wasPending, setWasPending] = useState(props.isPending);
  if (props.isPending && !wasPending) setWasPending(true);
  const haveCome = wasPending && !props.isPending && !props.error;
  return (
    <Stack gap="sm">
      {!props.isPending && <ErrorNote error={props.error} />}
      <BusyButton isBusy={props.isPending} onClick={props.onClick}>
        Show older
      </BusyButton>
      <span className="visually-hidden" aria-live="polite">
        {haveCome && 'Older ones are shown, above this button.'}
      </span>
      <FocusHeir id={props.heir} />
    </Stack>
  );
}
