'use client';
import { Menu } from '@mantine/core';
import {
  type ReactNode,
  type Ref,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useState,
} from 'react';

export type Action = {
  label: string;
  icon: ReactNode;
  onClick: () => void;
  /** Deletes something: set apart, in red. */
  isDangerous?: boolean;
};

export type MenuProps = {
  /** The button gets it. */
  id: string;
  actions: Action[];
  position: 'bottom-end' | 'top-start';
};

/**
 * The menu of a button that is drawn elsewhere, from its first opening on. It is mounted closed: what
 * opens it afterwards fades in, and Mantine notes where the focus is to go back to.
 */
export function OpenedMenu(
  props: MenuProps & {
    button: RefObject<HTMLButtonElement | null>;
    isOpen: boolean;
    onChange: (isOpen: boolean) => void;
  },
) {
  const [opened, setOpened] = useState(false);
  useEffect(() => setOpened(props.isOpen), [props.isOpen]);
  return (
    // Without the placeholder the first action has the focus, as ARIA asks of menus.
    <Menu
      id={props.id}
      position={props.position}
      width={180}
      withInitialFocusPlaceholder={false}
      opened={opened}
      onChange={props.onChange}
    >
      <Menu.Target>
        <Anchor button={props.button} />
      </Menu.Target>
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

/** Stands for the button, which has its attributes where it is drawn. */
function Anchor(props: {
  button: RefObject<HTMLButtonElement | null>;
  ref?: Ref<HTMLButtonElement | null>;
}) {
  useImperativeHandle<HTMLButtonElement | null, HTMLButtonElement | null>(
    props.ref,
    () => props.button.current,
    [props.button],
  );
  return null;
}
