'use client';
import { ActionIcon } from '@mantine/core';
import {
  type ComponentPropsWithRef,
  cloneElement,
  type ReactElement,
  useRef,
  useState,
} from 'react';
import { Ellipsis } from '../components/icons';
import type { Action, MenuProps } from './opened-menu';
import { shownLater } from './shown-later';

const OpenedMenu = shownLater(async () => (await import('./opened-menu')).OpenedMenu);

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

/** A button, its only child, with a menu. What draws the menu is fetched once the page is at rest. */
export function ButtonMenu(
  props: MenuProps & { children: ReactElement<ComponentPropsWithRef<'button'>> },
) {
  const { children, ...menu } = props;
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);
  return (
    <>
      {cloneElement(children, {
        id: menu.id,
        ref: button,
        'aria-haspopup': 'menu',
        'aria-expanded': isOpen,
        // As Mantine names it.
        'aria-controls': isOpen ? `${menu.id}-dropdown` : undefined,
        onClick: () => {
          setWasOpened(true);
          setIsOpen(!isOpen);
        },
      })}
      {wasOpened && (
        <OpenedMenu
          {...menu}
          button={button}
          isOpen={isOpen}
          onChange={setIsOpen}
          onClose={() => {
            setWasOpened(false);
            setIsOpen(false);
          }}
        />
      )}
    </>
  );
}
