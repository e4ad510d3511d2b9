'use client';
import { ActionIcon, Box, Drawer, Group, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { useFocusReturn } from '../browser/use-focus-return';
import { ChevronDown, ChevronUp } from '../components/icons';
import { modeChanged } from '../session/shown-mode';
import { signedOut } from '../session/signed-out';
import type { Direction, Neighbours } from './neighbours';

/**
 * Everything about one row of a log, beside the log. Afterwards the focus goes to the element with
 * the id `opener`, or to the page where that is gone.
 */
export function Sheet(props: {
  /** What it is about, as `Delivery`. */
  title: string;
  opener: string;
  neighbours: Neighbours;
  onClose: () => void;
  children: ReactNode;
}) {
  // Escape is not for it where a sign-in, or the question which mode to go on in, is over it.
  const isSignedOut = signedOut.use();
  const isModeChanged = modeChanged.use();
  useFocusReturn(props.opener);
  return (
    <Drawer.Root
      opened
      onClose={props.onClose}
      position="right"
      size={560}
      returnFocus={false}
      closeOnEscape={!isSignedOut && !isModeChanged}
      transitionProps={{ duration: 150 }}
    >
      <Drawer.Overlay backgroundOpacity={0.3} />
      <Drawer.Content>
        <Drawer.Header>
          <Drawer.Title fw={600}>{props.title}</Drawer.Title>
          <Drawer.CloseButton aria-label="Close" />
        </Drawer.Header>
        {/* No `Drawer.Body`: a screen reader would read all of it before what has the focus. */}
        <Box p="md" pt={0}>
          <Steps noun={props.title.toLowerCase()} {...props.neighbours} />
          {props.children}
        </Box>
      </Drawer.Content>
    </Drawer.Root>
  );
}

/** To the row before and after, with the keys K and J too. */
function Steps({ noun, newer, older, onStep }: Neighbours & { noun: string }) {
  useEffect(() => {
    const go = (event: KeyboardEvent) => {
      if (event.metaKey || event.ctrlKey || event.altKey) return;
      // Somebody is writing, as in a sign-in over the page.
      if (event.target instanceof HTMLInputElement) return;
      const key = event.key.toLowerCase();
      if (key === 'j') onStep('older');
      if (key === 'k') onStep('newer');
    };
    window.addEventListener('keydown', go);
    return () => window.removeEventListener('keydown', go);
  });
  // Can be pressed at the end too, and does nothing there, so that the focus stays where it is.
  const step = (to: Direction, isThere: boolean, label: string, icon: ReactNode) => (
    <ActionIcon
      variant="default"
      size={32}
      aria-label={label}
      title={label}
      aria-disabled={!isThere}
      data-disabled={!isThere || undefined}
      onClick={() => onStep(to)}
    >
      {icon}
    </ActionIcon>
  );
  return (
    <Group gap={6} mb="md">
      {step('newer', newer !== undefined, `Newer ${noun} (K)`, <ChevronUp size={16} />)}
      {step('older', older !== undefined, `Older ${noun} (J)`, <ChevronDown size={16} />)}
    </Group>
  );
}

/** A part of a sheet under a title. */
export function SheetSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <Title order={4} fz={13} mb={8}>
        {title}
      </Title>
      {children}
    </section>
  );
}
