'use client';
import { Button, type ButtonProps, Loader } from '@mantine/core';
import type { ReactNode } from 'react';

/**
 * A button that is to keep the focus while what it began is under way, in which it begins nothing: with
 * `loading` it would be disabled, and lose it.
 */
export function BusyButton(
  props: ButtonProps & {
    id?: string;
    'aria-label'?: string;
    'aria-describedby'?: string;
    isBusy: boolean;
    onClick: () => void;
    children: ReactNode;
  },
) {
  const { isBusy, onClick, ...others } = props;
  return (
    <Button
      variant="default"
      {...others}
      aria-busy={isBusy}
      leftSection={isBusy && <Loader size={14} color="gray" />}
      onClick={() => !isBusy && onClick()}
    />
  );
}
