import { Button, Group } from '@mantine/core';

/** The end of a dialog that asks before something is deleted for good. */
export function DeletionButtons(props: {
  label: string;
  isBusy: boolean;
  onCancel: () => void;
  onDelete: () => void;
}) {
  return (
    <Group justify="flex-end" gap="sm">
      <Button variant="default" onClick={props.onCancel} data-autofocus>
        Cancel
      </Button>
      <Button color="red.9" loading={props.isBusy} onClick={props.onDelete}>
        {props.label}
      </Button>
    </Group>
  );
}
