'use client';
import { Group, Text } from '@mantine/core';
import type { Outputs } from '@/src/ui/calls/trpc';
import { Dimmed } from '@/src/ui/components/dimmed';
import { Pencil, Power, RefreshCw, ScrollText, Trash2 } from '@/src/ui/components/icons';
import { Cell, Table, TableSkeleton } from '@/src/ui/components/table';
import table from '@/src/ui/components/table.module.css';
import { ToneBadge } from '@/src/ui/components/tone-badge';
import { ActionMenu } from '@/src/ui/overlays/action-menu';
import type { Action } from '@/src/ui/overlays/opened-menu';
import { ExactTime, Instant } from '@/src/ui/time/instant';
import { keyStatus } from './key-status';
import { keyButtonId } from './openers';

export type ApiKey = Outputs['apiKeys']['list'][number];
export type KeyAction = 'edit' | 'rotate' | 'delete' | 'switch' | 'history';

const columns = ['Name', 'Key', 'Scopes', 'Status', 'Last used', 'Created'];

export function KeyTable(props: {
  keys: ApiKey[];
  /** Those that are not shown too: one may have taken the place of one that is. */
  all: ApiKey[];
  now: Date;
  onAction: (action: KeyAction, apiKey: ApiKey) => void;
}) {
  const byId = new Map(props.all.map((key) => [key.id, key]));
  const replaced = new Map(props.all.map((key) => [key.replaced_by, key]));
  return (
    <Table columns={columns} hasActions>
      {props.keys.map((apiKey) => (
        <KeyRow
          key={apiKey.id}
          apiKey={apiKey}
          successor={byId.get(apiKey.replaced_by ?? '')}
          predecessor={replaced.get(apiKey.id)}
          now={props.now}
          onAction={props.onAction}
        />
      ))}
    </Table>
  );
}

function KeyRow(props: {
  apiKey: ApiKey;
  successor: ApiKey | undefined;
  predecessor: ApiKey | undefined;
  now: Date;
  onAction: (action: KeyAction, apiKey: ApiKey) => void;
}) {
  const { apiKey } = props;
  const status = keyStatus(apiKey, props.now);
  return (
    <tr className={table.row}>
      <Cell>
        <div style={{ minWidth: 0 }}>
          <Text size="sm" fw={500}>
            <bdi>{apiKey.name}</bdi>
          </Text>
          <Rotation {...props} />
        </div>
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
        <Dimmed>{apiKey.last_used_at ? <Instant at={apiKey.last_used_at} /> : 'Never'}</Dimmed>
      </Cell>
      <Cell label="Created">
        <Dimmed>
          <Instant at={apiKey.created_at} />
        </Dimmed>
      </Cell>
      <td className={table.actions}>
        <KeyMenu apiKey={apiKey} onAction={props.onAction} />
      </td>
    </tr>
  );
}

/** Of two keys with one name: which has come in the place of which. */
function Rotation(props: {
  apiKey: ApiKey;
  successor: ApiKey | undefined;
  predecessor: ApiKey | undefined;
  now: Date;
}) {
  const { apiKey, successor, predecessor } = props;
  if (!successor && !predecessor) return null;
  const isOver = apiKey.expires_at !== null && new Date(apiKey.expires_at) <= props.now;
  return (
    <Text size="xs" c="dimmed" component="div">
      {successor && (
        <div>
          replaced by {successor.hint}
          {apiKey.expires_at && !isOver && (
            <>
              , ends <Instant at={apiKey.expires_at} isToCome />
            </>
          )}
        </div>
      )}
      {predecessor && <div>replaces {predecessor.hint}</div>}
    </Text>
  );
}

function KeyMenu(props: { apiKey: ApiKey; onAction: (action: KeyAction, apiKey: ApiKey) => void }) {
  const { apiKey } = props;
  const act = (action: KeyAction) => () => props.onAction(action, apiKey);
  const actions: Action[] = [
    { label: 'Edit', icon: <Pencil size={15} />, onClick: act('edit') },
    {
      label: apiKey.enabled ? 'Switch off' : 'Switch on',
      icon: <Power size={15} />,
      onClick: act('switch'),
    },
    { label: 'Rotate', icon: <RefreshCw size={15} />, onClick: act('rotate') },
    { label: 'History', icon: <ScrollText size={15} />, onClick: act('history') },
    { label: 'Delete', icon: <Trash2 size={15} />, onClick: act('delete'), isDangerous: true },
  ];
  return (
    <ActionMenu id={keyButtonId(apiKey)} label={`Actions for ${apiKey.name}`} actions={actions} />
  );
}

export function KeyTableSkeleton() {
  return <TableSkeleton columns={columns} />;
}
