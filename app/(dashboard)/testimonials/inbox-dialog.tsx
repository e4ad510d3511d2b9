'use client';
import { shownLater } from '@/src/ui/overlays/shown-later';
import type { Decisions, Testimonial } from './decisions';
import { rowId } from './inbox-row';
import type { BatchAction, BatchScope } from './use-batch-run';
import type { InboxRows } from './use-inbox';
import type { Moderation } from './use-moderation';

const BatchRun = shownLater(async () => (await import('./batch-run')).BatchRun);
const KeysDialog = shownLater(async () => (await import('./keys-dialog')).KeysDialog);
const TestimonialDialog = shownLater(
  async () => (await import('./testimonial-dialog')).TestimonialDialog,
);

export type OpenDialog =
  | { dialog: 'keys' }
  | { dialog: 'testimonial'; testimonial: Testimonial }
  | { dialog: 'batch'; action: BatchAction; scope: BatchScope; opener?: string };

/** The dialog of the inbox that is open, if one is. */
export function InboxDialog(props: {
  open: OpenDialog | undefined;
  onChange: (open: OpenDialog | undefined) => void;
  inbox: InboxRows;
  moderation: Moderation;
  decisions: Decisions;
}) {
  const { open, onChange, moderation } = props;
  const close = () => onChange(undefined);
  switch (open?.dialog) {
    case undefined:
      return null;
    case 'keys':
      return <KeysDialog onClose={close} />;
    case 'testimonial': {
      const { testimonial } = open;
      return (
        <TestimonialDialog
          testimonial={testimonial}
          status={props.inbox.statusOf(testimonial)}
          onDecide={(saved, status) => {
            close();
            moderation.decide([saved], status);
          }}
          onDelete={() =>
            onChange({
              dialog: 'batch',
              action: 'deleted',
              scope: { chosen: [testimonial] },
            })
          }
          onClose={close}
        />
      );
    }
    case 'batch':
      return (
        <BatchRun
          {...open}
          // A row that is deleted leaves its place to another.
          opener={open.opener ?? (moderation.current && rowId(moderation.current.id))}
          before={props.decisions.sendAll}
          onChanged={() => moderation.select([])}
          onClose={close}
        />
      );
  }
}
