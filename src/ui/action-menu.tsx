'use client';
import { ActionIcon, Menu } from '@mantine/core';
import type { ReactElement, ReactNode } from 'react';
import { Ellipsis } from './icons';

export type Action = {
  label: string;
  icon: ReactNode;
  onClick: () => void;
  /** Deletes something: set apart, in red. */
  isDangerous?: boolean;
};

/** What can be done with the thing beside it, behind three dots; the button has the id. */
export function ActionMenu(props: { id: string; label: string; actions: Action[] }) {
  return (
    <ButtonMenu id={props.id} actions={props.actions} position="bottom-end">
      <ActionIcon variant="subtle" color="gray" size={36} aria-label={props.label}>
        <Ellipsis size={17} />
      </ActionIcon>
    </ButtonMenu>
  );
}

/** A button, its only child, with a menu; the button gets the id. */
export function ButtonMenu(props: {
  id: string;
  actions: Action[];
  position: 'bottom-end' | 'top-start';
  children: ReactElement;
}) {
  return (
    // Without the placeholder the first action has the focus, as ARIA asks of menus.
    <Menu id={props.id} position={props.position} width={180} withInitialFocusPlaceholder={false}>
      <Menu.Target>{props.children}</Menu.Target>
      <Menu.Dropdown>
        {props.actions.map((action) => (
          <Menu.Item
            key={action.label}
            leftSection={action.icon}
            onClick={action.onClick}
            c={action.isDangerous ? 'var(--mantine-color-error)' : undefined}
          >
            {action.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
