'use client';
import { Group, Text } from '@mantine/core';
import Link from 'next/link';
import type { Outputs } from '@/src/ui/calls/trpc';
import { CopyButton, CopyIcon, CopyNote } from '@/src/ui/code/copy-button';
import { useCopy } from '@/src/ui/code/use-copy';
import { Dimmed } from '@/src/ui/components/dimmed';
import { Pencil, Trash2 } from '@/src/ui/components/icons';
import { shownName } from '@/src/ui/components/shown-name';
import { Cell, Table } from '@/src/ui/components/table';
import table from '@/src/ui/components/table.module.css';
import { ActionMenu } from '@/src/ui/overlays/action-menu';
import type { Action } from '@/src/ui/overlays/opened-menu';
import { Instant } from '@/src/ui/time/instant';
import { spaceButtonId } from './openers';
import { SpaceLogo } from './space-logo';
import { spaceColumns } from './space-table-skeleton';

export type Space = Outputs['spaces']['list']['data'][number];

export function SpaceTable(props: {
  spaces: Space[];
  onAction: (action: 'edit' | 'delete', space: Space) => void;
}) {
  return (
    <Table columns={spaceColumns} hasActions>
      {props.spaces.map((space) => (
        <tr key={space.id} className={table.row}>
          <Cell>
            <Group gap="sm" wrap="nowrap" w="100%">
              <SpaceLogo url={space.logo_url} color={space.primary_color} />
              <div className={table.held} style={{ flex: 1, minWidth: 0 }}>
                <Link href={`/testimonials?status=all&space=${space.id}`} className={table.open}>
                  <bdi>{shownName(space.name)}</bdi>
                </Link>
                {space.description && (
                  // It takes what room there is, and none from the slugs.
                  <Text size="xs" c="dimmed" lineClamp={1} style={{ contain: 'inline-size' }}>
                    <bdi>{space.description}</bdi>
                  </Text>
                )}
              </div>
            </Group>
          </Cell>
          <Cell label="ID">
            <SpaceId space={space} />
          </Cell>
          <Cell label="Slug">
            <Group gap={6} wrap="nowrap" style={{ position: 'relative', zIndex: 1 }}>
              <Text size="xs" ff="monospace" c="dimmed" className={table.breaks}>
                {space.slug}
              </Text>
              <CopyButton text={space.slug} label={`Copy the slug of ${shownName(space.name)}`} />
            </Group>
          </Cell>
          <Cell label="Questions">
            <Text size="sm" className="numeric">
              {space.custom_questions?.length ?? 0}
            </Text>
          </Cell>
          <Cell label="Created">
            <Dimmed>
              <Instant at={space.created_at} />
            </Dimmed>
          </Cell>
          <td className={table.actions}>
            <div style={{ position: 'relative', zIndex: 1 }}>
              <SpaceMenu space={space} onAction={props.onAction} />
            </div>
          </td>
        </tr>
      ))}
    </Table>
  );
}

/** What the API asks for, of which nobody reads more than the beginning, but who must copy it by hand. */
function SpaceId({ space }: { space: Space }) {
  const copying = useCopy();
  return (
    <div style={{ position: 'relative', zIndex: 1 }}>
      <Group gap={6} wrap="nowrap">
        <Text
          size="xs"
          ff="monospace"
          c="dimmed"
          title={space.id}
          className={table.breaks}
          // A long name would leave it the room of two letters.
          style={{ whiteSpace: copying.refused ? 'normal' : 'nowrap' }}
        >
          {copying.refused ?? `${space.id.slice(0, 8)}…`}
        </Text>
        <CopyIcon
          text={space.id}
          label={`Copy the ID of ${shownName(space.name)}`}
          copying={copying}
        />
      </Group>
      <CopyNote copying={copying} />
    </div>
  );
}

function SpaceMenu(props: {
  space: Space;
  onAction: (action: 'edit' | 'delete', space: Space) => void;
}) {
  const { space } = props;
  const actions: Action[] = [
    {
      label: 'Edit',
      icon: <Pencil size={15} />,
      onClick: () => props.onAction('edit', space),
    },
    {
      label: 'Delete',
      icon: <Trash2 size={15} />,
      onClick: () => props.onAction('delete', space),
      isDangerous: true,
    },
  ];
  return (
    <ActionMenu
      id={spaceButtonId(space)}
      label={`Actions for ${shownName(space.name)}`}
      actions={actions}
    />
  );
}
