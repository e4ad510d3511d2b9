'use client';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useStay } from '@/src/ui/browser/use-stay';
import { shownName } from '@/src/ui/components/shown-name';
import { ToneBadge } from '@/src/ui/components/tone-badge';
import { Unsaved } from '@/src/ui/forms/unsaved';
import { Dialog, DialogWords } from '@/src/ui/overlays/dialog';
import { Instant } from '@/src/ui/time/instant';
import { Avatar } from './avatar';
import { EditForm, useCorrection } from './correction';
import type { Testimonial } from './decisions';
import { rowId } from './inbox-row';
import { SpaceName } from './space-name';
import { statusNames, statusTones } from './status-words';
import { SubmitterFrom, saysFrom } from './submitter-from';
import { TranscriptNote } from './transcript-note';
import { Video } from './video';
import { type Status, statuses } from './view';

/**
 * A testimonial whole: to read, to see, to correct, to delete. A correction is saved with a decision,
 * and asked about before the dialog closes otherwise than by "Cancel", or one leaves the page.
 */
export function TestimonialDialog(props: {
  testimonial: Testimonial;
  status: Status;
  /** The testimonial as it is saved. */
  onDecide: (testimonial: Testimonial, status: Status) => void;
  onDelete: () => void;
  onClose: () => void;
}) {
  const { testimonial, status } = props;
  const name = shownName(testimonial.submitter_name);
  const correction = useCorrection(testimonial);
  /** What is to be done next, once one has said what becomes of the correction. */
  const [waiting, setWaiting] = useState<{ next: () => void }>();

  function ask(next: () => void) {
    if (correction.isThere) setWaiting({ next });
    else next();
  }

  useStay(correction.isThere, () => {
    if (!correction.isSaving) setWaiting({ next: props.onClose });
  });

  return (
    <Dialog
      title="Testimonial"
      size={640}
      opener={rowId(testimonial.id)}
      onClose={() => ask(props.onClose)}
    >
      <Stack gap="lg">
        <Group gap="sm" wrap="nowrap" align="flex-start">
          <Avatar name={name} url={testimonial.submitter_avatar_url} />
          <div style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
            <DialogWords>
              <Text fw={600}>
                <bdi>{name}</bdi>{' '}
                <ToneBadge tone={statusTones[status]}>{statusNames[status]}</ToneBadge>
              </Text>
            </DialogWords>
            <Text size="sm" c="dimmed" component="div">
              {saysFrom(testimonial) && (
                <>
                  <SubmitterFrom of={testimonial} /> ·{' '}
                </>
              )}
              <bdi>{testimonial.submitter_email}</bdi>
            </Text>
            <Text size="sm" c="dimmed" component="div">
              <SpaceName id={testimonial.space_id} /> · <Instant at={testimonial.created_at} />
            </Text>
          </div>
        </Group>
        <Group gap="xs">
          {statuses
            .filter((wish) => wish !== status)
            .map((wish) => (
              <Button
                key={wish}
                size="xs"
                variant="default"
                disabled={correction.isSaving}
                onClick={() => correction.saveThen((saved) => props.onDecide(saved, wish))}
              >
                {correction.isThere ? savingWords[wish] : decisionWords[wish]}
              </Button>
            ))}
          <Button
            size="xs"
            variant="default"
            c="var(--mantine-color-error)"
            disabled={correction.isSaving}
            onClick={() => ask(props.onDelete)}
          >
            Delete…
          </Button>
        </Group>
        {testimonial.video_url && (
          <div>
            <Video testimonial={testimonial} />
            <TranscriptNote testimonial={testimonial} />
          </div>
        )}
        <EditForm
          testimonial={testimonial}
          correction={correction}
          question={
            waiting &&
            correction.isThere &&
            !correction.isSaving && <Unsaved what="Your correction" onDiscard={waiting.next} />
          }
          onSaved={waiting?.next ?? props.onClose}
          onClose={props.onClose}
        />
      </Stack>
    </Dialog>
  );
}

const decisionWords: Record<Status, string> = {
  approved: 'Approve',
  rejected: 'Reject',
  pending: 'Back to pending',
};

const savingWords: Record<Status, string> = {
  approved: 'Save and approve',
  rejected: 'Save and reject',
  pending: 'Save, back to pending',
};
