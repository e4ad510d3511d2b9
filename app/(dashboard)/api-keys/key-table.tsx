'use client';
import { ActionIcon, Group, Menu, Text } from '@mantine/core';
import { Ellipsis, Pencil, Power, RefreshCw, Trash2 } from 'lucide-react';
import { Instant, useNow } from '@/src/ui/instant';
import { Cell, Table, TableSkeleton } from '@/src/ui/table';
import table from '@/src/ui/table.module.css';
import { ToneBadge } from '@/src/ui/tone-badge';
import type { Outputs } from '@/src/ui/trpc';
import { keyStatus } from './key-status';

export type ApiKey = Outputs['apiKeys']['list'][number];
export type KeyAction = 'rename' | 'rotate' | 'delete' | 'switch';

const columns = ['Name', 'Key', 'Scopes', 'Status', 'Last used', 'Created'];

export function KeyTable(props: {
  keys: ApiKey[];
  onAction: (action: KeyAction, apiKey: ApiKey) => void;
}) {
  const now = useNow();
  return (
    <Table columns={columns} hasActions>
      {props.keys.map((apiKey) => (
        <KeyRow key={apiKey.id} apiKey={apiKey} now={now} onAction={props.onAction} />
      ))}
    </Table>
  );
}

function KeyRow(props: {
  apiKey: ApiKey;
  now: Date;
  onAction: (action: KeyAction, apiKey: ApiKey) => void;
}) {
  const { apiKey } = props;
  const status = keyStatus(apiKey, props.now);
  return (
    <tr className={table.row}>
      <Cell>
        <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
          {apiKey.name}
        </Text>
      </Cell>
      <Cell label="Key">
        <Text size="xs" ff="monospace" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
          {apiKey.hint}
        </Text>
      </Cell>
      <Cell label="Scopes">
        <Group gap={4} wrap="nowrap">
          {apiKey.scopes.map((scope) => (
            <ToneBadge key={scope} tone="over">
              {scope}
            </ToneBadge>
          ))}
        </Group>
      </Cell>
      <Cell label="Status">
        <ToneBadge tone={status.tone}>
          <span suppressHydrationWarning>{status.text}</span>
        </ToneBadge>
      </Cell>
      <Cell label="Last used">
        <Text size="sm" c="dimmed" component="div" style={{ whiteSpace: 'nowrap' }}>
          {apiKey.last_used_at ? <Instant at={apiKey.last_used_at} /> : 'Never'}
        </Text>
      </Cell>
      <Cell label="Created">
        <Text size="sm" c="dimmed" component="div" style={{ whiteSpace: 'nowrap' }}>
          <Instant at={apiKey.created_at} />
        </Text>
      </Cell>
      <td className={table.actions}>
        <KeyMenu apiKey={apiKey} onAction={props.onAction} />
      </td>
    </tr>
  );
}

function KeyMenu(props: { apiKey: ApiKey; onAction: (action: KeyAction, apiKey: ApiKey) => void }) {
  const { apiKey } = props;
  const act = (action: KeyAction) => () => props.onAction(action, apiKey);
  return (
    <Menu id={menuId(apiKey)} position="bottom-end" width={170}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${apiKey.name}`}>
          <Ellipsis size={17} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<Pencil size={15} />} onClick={act('rename')}>
          Rename
        </Menu.Item>
        <Menu.Item leftSection={<Power size={15} />} onClick={act('switch')}>
          {apiKey.enabled ? 'Switch off' : 'Switch on'}
        </Menu.Item>
        <Menu.Item leftSection={<RefreshCw size={15} />} onClick={act('rotate')}>
          Rotate
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item color="red" leftSection={<Trash2 size={15} />} onClick={act('delete')}>
          Delete
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function menuId(apiKey: { id: string }): string {
  return `actions-${apiKey.id}`;
}

/** Where the focus goes back to after a dialog about the key; the name is the library's. */
export function menuButtonId(apiKey: { id: string }): string {
  return `${menuId(apiKey)}-target`;
}

export function KeyTableSkeleton() {
  return <TableSkeleton columns={columns} />;
}
