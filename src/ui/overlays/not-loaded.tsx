'use client';
import { Button, Group } from '@mantine/core';
import { useLayoutEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { useFocusReturn } from '../browser/use-focus-return';
import { BusyButton } from '../components/busy-button';
import { Note } from '../components/note';
import classes from './not-loaded.module.css';

/**
 * Over the page and whatever dialog is open in it: says that a part of it could not be fetched. It has
 * the focus, as the part would have had, and gives it back to what had it. Where the service has the part
 * no more (`isGone`), the whole page is loaded anew instead, which is left to the person: what is typed
 * in it goes with it.
 */
export function NotLoaded(props: {
  isGone: boolean;
  isBusy: boolean;
  onRetry: () => void;
  onClose: (() => void) | undefined;
}) {
  const place = useRef<HTMLDivElement>(null);
  useFocusReturn(undefined);
  useLayoutEffect(() => {
    const [note, before] = [place.current, document.activeElement];
    note?.querySelector('button')?.focus({ preventScroll: true });
    return () => {
      // At once: a dialog or menu that takes this place notes where the focus is to go afterwards.
      const isHere = note?.contains(document.activeElement);
      if (isHere && before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, []);
  return createPortal(
    <div ref={place} className={classes.root}>
      <Note tone="bad" role="alert">
        <Group gap="sm">
          <span>
            This part of the page could not be loaded.{' '}
            {props.isGone
              ? 'A new version of the service is there. Copy what you have typed and not saved, then load the page again.'
              : 'Check your connection.'}
          </span>
          <BusyButton
            size="xs"
            isBusy={props.isBusy}
            onClick={props.isGone ? () => window.location.reload() : props.onRetry}
          >
            {props.isGone ? 'Load it again' : 'Try again'}
          </BusyButton>
          {props.onClose && (
            <Button size="xs" variant="default" onClick={props.onClose}>
              Close
            </Button>
          )}
        </Group>
      </Note>
    </div>,
    document.body,
  );
}

/** Over the page: that a part of it was asked for and comes. */
export function OnItsWay() {
  return createPortal(
    <div className={`${classes.root} ${classes.calm}`}>
      <Note tone="over" role="status">
        Loading…
      </Note>
    </div>,
    document.body,
  );
}
