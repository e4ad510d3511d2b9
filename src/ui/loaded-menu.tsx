'use client';
import { Menu } from '@mantine/core';
import type { ReactElement, ReactNode } from 'react';

export type Action = {
  label: string;
  icon: ReactNode;
  onClick: () => void;
  /** Deletes something: set apart, in red. */
  isDangerous?: boolean;
};

export type MenuProps = {
  id: string;
  target: ReactElement;
  actions: Action[];
  position: 'bottom-end' | 'top-start';
};

/** Open from the start: it is loaded because its button was pressed. */
export function LoadedMenu({ id, target, actions, position }: MenuProps) {
  return (
    // Without the placeholder the first action has the focus, as ARIA asks of menus.
    <Menu id={id} defaultOpened position={position} width={180} withInitialFocusPlaceholder={false}>
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>
        {actions.map((action) => (
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
