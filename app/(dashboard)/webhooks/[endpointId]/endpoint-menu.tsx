'use client';
import { ActionIcon, Menu } from '@mantine/core';
import { Ellipsis, Pause, Pencil, Play, RefreshCw, Trash2 } from 'lucide-react';

export type DialogName = 'edit' | 'test' | 'rotate' | 'delete';

const menuId = 'endpoint-actions';

/** Where the focus goes back to after a dialog that the menu opened; the name is the library's. */
export const menuButtonId = `${menuId}-target`;

export function EndpointMenu(props: {
  isEnabled: boolean;
  onOpen: (dialog: DialogName) => void;
  onSwitch: () => void;
}) {
  return (
    <Menu id={menuId} position="bottom-end" width={190}>
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label="Actions for this endpoint">
          <Ellipsis size={17} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<Pencil size={15} />} onClick={() => props.onOpen('edit')}>
          Edit
        </Menu.Item>
        <Menu.Item
          leftSection={props.isEnabled ? <Pause size={15} /> : <Play size={15} />}
          onClick={props.onSwitch}
        >
          {props.isEnabled ? 'Pause' : 'Resume'}
        </Menu.Item>
        <Menu.Item leftSection={<RefreshCw size={15} />} onClick={() => props.onOpen('rotate')}>
          Rotate secret
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item
          color="red"
          leftSection={<Trash2 size={15} />}
          onClick={() => props.onOpen('delete')}
        >
          Delete
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
