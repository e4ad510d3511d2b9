'use client';
import { Modal } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';

/**
 * A dialog that is open as long as it is rendered. Afterwards the focus goes to the element with
 * the id `opener`, or to the page where that is gone. `isSticky` keeps it from closing by accident.
 */
export function Dialog(props: {
  title: string;
  opener?: string;
  isSticky?: boolean;
  size?: string | number;
  onClose: () => void;
  children: ReactNode;
}) {
  const { opener } = props;
  useEffect(
    () => () => {
      requestAnimationFrame(() => {
        const target = opener === undefined ? null : document.getElementById(opener);
        (target ?? document.getElementById('content'))?.focus();
      });
    },
    [opener],
  );
  return (
    <Modal
      opened
      onClose={props.onClose}
      title={props.title}
      size={props.size ?? 480}
      centered
      returnFocus={false}
      closeOnClickOutside={!props.isSticky}
      closeOnEscape={!props.isSticky}
      withCloseButton={!props.isSticky}
      closeButtonProps={{ 'aria-label': 'Close' }}
      overlayProps={{ backgroundOpacity: 0.45 }}
      transitionProps={{ duration: 120 }}
      styles={{ title: { fontWeight: 600 } }}
    >
      {props.children}
    </Modal>
  );
}
