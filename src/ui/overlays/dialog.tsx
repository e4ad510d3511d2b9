'use client';
import { Box, Button, Group, Modal, Stack } from '@mantine/core';
import { useIsMutating } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useFocusReturn } from '../browser/use-focus-return';
import { useStay } from '../browser/use-stay';
import { Unsaved } from '../forms/unsaved';
import { modeChanged } from '../session/shown-mode';
import { signedOut } from '../session/signed-out';

/**
 * A dialog that is open as long as it is rendered. Afterwards the focus goes to the element with
 * the id `opener`, or to the page where that is gone. `isSticky` keeps it from closing by accident,
 * and so does a change that is under way (a mutation, or whatever else `isBusy` tells of), for nobody
 * could say any more whether it was made, and a session that is over or in the other mode: what was
 * filled in waits for what comes next. With `hasInput` it asks before that is lost, also where one goes
 * back or reloads, but not amid the change that saves it; `DialogActions` closes at once.
 */
export function Dialog(props: {
  title: ReactNode;
  opener?: string;
  isSticky?: boolean;
  isBusy?: boolean;
  hasInput?: boolean;
  /** While what is shown once is on its way: to leave would lose it. */
  isAwaited?: boolean;
  size?: string | number;
  onClose: () => void;
  children: ReactNode;
}) {
  const isSignedOut = signedOut.use();
  const isModeChanged = modeChanged.use();
  const isBusy = useIsMutating() > 0 || props.isBusy;
  const isHeld = isSignedOut || isModeChanged;
  const canClose = !isBusy && !isHeld && !props.isSticky;
  const hasInput = props.hasInput ?? false;
  const [isAsked, setIsAsked] = useState(false);
  const ask = () => setIsAsked(!isBusy);
  useStay(hasInput || props.isAwaited === true, ask);
  useFocusReturn(props.opener);
  return (
    <Modal.Root
      opened
      onClose={hasInput ? ask : props.onClose}
      size={props.size ?? 480}
      centered
      returnFocus={false}
      closeOnClickOutside={canClose}
      closeOnEscape={canClose}
      transitionProps={{ duration: 120 }}
    >
      <Modal.Overlay backgroundOpacity={0.45} />
      <Modal.Content>
        <Modal.Header>
          <Modal.Title fw={600} lh={1.4} style={{ overflowWrap: 'anywhere' }}>
            {props.title}
          </Modal.Title>
          {!props.isSticky && <Modal.CloseButton aria-label="Close" disabled={!canClose} />}
        </Modal.Header>
        {/* As a slug or a name of one word, which would have it scrolled sideways. */}
        <Box p="md" pt={0} style={{ overflowWrap: 'break-word' }}>
          {props.children}
          {isAsked && hasInput && !isBusy && (
            <Box mt="md">
              <Unsaved what="What you filled in" onDiscard={props.onClose} />
            </Box>
          )}
        </Box>
      </Modal.Content>
    </Modal.Root>
  );
}

/**
 * What a dialog asks or says, once in it: a screen reader says this after its title. Of a dialog
 * without it the title alone is said; to be described by all that is in it, as Mantine has it, would
 * have every field and button read before the first can be used.
 */
export function DialogWords({ children }: { children: ReactNode }) {
  return (
    <Modal.Body p={0}>
      <Stack gap="md">{children}</Stack>
    </Modal.Body>
  );
}

/** The end of a dialog: the way out, and after it the button that does what the dialog is about. */
export function DialogActions(props: {
  cancelLabel?: string;
  /** Enter then leaves: for what cannot be undone. */
  isCancelFocused?: boolean;
  isBusy?: boolean;
  onCancel: () => void;
  children: ReactNode;
}) {
  const isMutating = useIsMutating() > 0;
  return (
    <Group justify="flex-end" gap="sm">
      <Button
        variant="default"
        onClick={props.onCancel}
        disabled={isMutating || props.isBusy}
        data-autofocus={props.isCancelFocused || undefined}
      >
        {props.cancelLabel ?? 'Cancel'}
      </Button>
      {props.children}
    </Group>
  );
}
