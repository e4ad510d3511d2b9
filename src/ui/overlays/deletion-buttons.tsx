import { Button } from '@mantine/core';
import { DialogActions } from './dialog';

/** The end of a dialog that asks before something is deleted for good. */
export function DeletionButtons(props: {
  label: string;
  isBusy: boolean;
  onCancel: () => void;
  onDelete: () => void;
}) {
  return (
    <DialogActions isCancelFocused onCancel={props.onCancel}>
      <Button color="red.9" loading={props.isBusy} onClick={props.onDelete}>
        {props.label}
      </Button>
    </DialogActions>
  );
}
