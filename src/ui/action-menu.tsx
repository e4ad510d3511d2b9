'use client';
import { ActionIcon } from '@mantine/core';
import { type ComponentType, cloneElement, type ReactElement, useState } from 'react';
import { Ellipsis } from './icons';
import type { Action, MenuProps } from './loaded-menu';

/** What can be done with the thing beside it, behind three dots; the button has the id. */
export function ActionMenu(props: { id: string; label: string; actions: Action[] }) {
  return (
    <LazyMenu
      id={props.id}
      actions={props.actions}
      position="bottom-end"
      target={
        <ActionIcon variant="subtle" color="gray" size={36} aria-label={props.label}>
          <Ellipsis size={17} />
        </ActionIcon>
      }
    />
  );
}

/**
 * A button with a menu, whose code is loaded when somebody comes near it; `onNear` may get ready
 * where the menu leads to.
 */
export function LazyMenu({
  onNear,
  ...props
}: Omit<MenuProps, 'target'> & { target: ReactElement<TargetProps>; onNear?: () => void }) {
  const [Menu, setMenu] = useState<ComponentType<MenuProps>>();
  if (Menu) return <Menu {...props} />;
  const preload = () => {
    onNear?.();
    void load().catch(() => undefined);
  };
  return cloneElement(props.target, {
    id: props.id,
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onPointerEnter: preload,
    onFocus: preload,
    // Where it cannot be loaded, the button can be pressed again.
    onClick: () => void load().then(({ LoadedMenu }) => setMenu(() => LoadedMenu), preload),
  });
}

type TargetProps = {
  id?: string;
  'aria-haspopup'?: 'menu';
  'aria-expanded'?: boolean;
  onPointerEnter?: () => void;
  onFocus?: () => void;
  onClick?: () => void;
};

function load() {
  return import('./loaded-menu');
}
