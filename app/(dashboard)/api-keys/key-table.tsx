'use client';
import { Group, Text } from '@mantine/core';
import { ActionMenu } from '@/src/ui/action-menu';
import { Pencil, Power, RefreshCw, Trash2 } from '@/src/ui/icons';
import { ExactTime, Instant, useNow } from '@/src/ui/instant';
import type { Action } from '@/src/ui/loaded-menu';
import { Cell, Table, TableSkeleton } from '@/src/ui/table';
import table from '@/src/ui/table.module.css';
import { ToneBadge } from '@/src/ui/tone-badge';
import type { Outputs } from '@/src/ui/trpc';
import { keyStatus } from './key-status';
import { keyButtonId } from './openers';

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
          {apiKey.enabled && apiKey.expires_at ? (
            <ExactTime at={apiKey.expires_at}>{status.text}</ExactTime>
          ) : (
            status.text
          )}
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
  const actions: Action[] = [
    { label: 'Rename', icon: <Pencil size={15} />, onClick: act('rename') },
    {
      label: apiKey.enabled ? 'Switch off' : 'Switch on',
      icon: <Power size={15} />,
      onClick: act('switch'),
    },
    { label: 'Rotate', icon: <RefreshCw size={15} />, onClick: act('rotate') },
    { label: 'Delete', icon: <Trash2 size={15} />, onClick: act('delete'), isDangerous: true },
  ];
  return (
    <ActionMenu id={keyButtonId(apiKey)} label={`Actions for ${apiKey.name}`} actions={actions} />
  );
}

export function KeyTableSkeleton() {
  return <TableSkeleton columns={columns} />;
}
