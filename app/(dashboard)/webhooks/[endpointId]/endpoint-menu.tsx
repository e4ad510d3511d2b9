'use client';
import { Pause, Pencil, Play, RefreshCw, Trash2 } from '@/src/ui/components/icons';
import { ActionMenu } from '@/src/ui/overlays/action-menu';
import type { Action } from '@/src/ui/overlays/opened-menu';
import { endpointButtonId } from '../openers';

export type DialogName = 'edit' | 'pause' | 'test' | 'rotate' | 'delete';

export function EndpointMenu(props: {
  isEnabled: boolean;
  onOpen: (dialog: DialogName) => void;
  onResume: () => void;
}) {
  const open = (dialog: DialogName) => () => props.onOpen(dialog);
  const actions: Action[] = [
    { label: 'Edit', icon: <Pencil size={15} />, onClick: open('edit') },
    {
      label: props.isEnabled ? 'Pause' : 'Resume',
      icon: props.isEnabled ? <Pause size={15} /> : <Play size={15} />,
      onClick: props.isEnabled ? open('pause') : props.onResume,
    },
    { label: 'Rotate secret', icon: <RefreshCw size={15} />, onClick: open('rotate') },
    { label: 'Delete', icon: <Trash2 size={15} />, onClick: open('delete'), isDangerous: true },
  ];
  return <ActionMenu id={endpointButtonId} label="Actions for this endpoint" actions={actions} />;
}
