'use client';
import { Button, Stack } from '@mantine/core';
import { Dialog } from '@/src/ui/overlays/dialog';
import classes from './keys-dialog.module.css';
import { keysButtonId, useKeysSetting } from './use-keys';

const keys: [string, string][] = [
  ['J', 'Next testimonial'],
  ['K', 'Previous testimonial'],
  ['A', 'Approve it, or all that are selected'],
  ['R', 'Reject it, or all that are selected'],
  ['X', 'Select it'],
  ['Z', 'Undo'],
  ['Enter', 'Open it'],
  ['/', 'Search'],
  ['?', 'Show the shortcuts'],
];

export function KeysDialog({ onClose }: { onClose: () => void }) {
  const [isOn, setIsOn] = useKeysSetting();
  return (
    <Dialog title="Shortcuts" size={400} opener={keysButtonId} onClose={onClose}>
      <Stack gap="md">
        <dl className={classes.list}>
          {keys.map(([key, text]) => (
            <div key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
        <label className={classes.setting}>
          <input type="checkbox" checked={isOn} onChange={() => setIsOn(!isOn)} />
          Shortcuts are on in this browser
        </label>
        <Button variant="default" onClick={onClose} data-autofocus>
          Close
        </Button>
      </Stack>
    </Dialog>
  );
}
