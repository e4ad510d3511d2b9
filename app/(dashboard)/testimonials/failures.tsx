'use client';
import { Button, Group } from '@mantine/core';
import { FocusHeir } from '@/src/ui/browser/focus-heir';
import { describeError, isUncertain } from '@/src/ui/calls/errors';
import { Note } from '@/src/ui/components/note';
import { shownName } from '@/src/ui/components/shown-name';
import type { Failure, Testimonial } from './decisions';
import { countOf } from './status-words';

/** What was decided and could not be saved. */
export function Failures(props: {
  failures: readonly Failure[];
  heir: string | undefined;
  onRetry: () => void;
  onDismiss: () => void;
}) {
  const count = props.failures.reduce((sum, { testimonials }) => sum + testimonials.length, 0);
  // Of several the one with which the least is known.
  const uncertain = props.failures.find(({ error }) => isUncertain(error));
  const told = uncertain ?? props.failures[0];
  if (!told) return null;
  const isOpen = uncertain !== undefined;
  return (
    <Note tone="bad" role="alert">
      <Group gap="0.375rem 0.75rem">
        <span>
          {count === 1 ? 'A decision' : `${count} decisions`}{' '}
          {isOpen ? 'may not be' : count === 1 ? 'was not' : 'were not'} saved.{' '}
          {describeError(told.error)}
        </span>
        <Group gap="xs">
          <Button size="compact-sm" variant="default" onClick={props.onRetry}>
            Try again
          </Button>
          <Button size="compact-sm" variant="default" onClick={props.onDismiss}>
            {isOpen ? 'Leave it' : 'Leave as it was'}
          </Button>
        </Group>
      </Group>
      <FocusHeir id={props.heir} />
    </Note>
  );
}

/** What was decided on after somebody else had deleted it. */
export function Gone(props: {
  gone: readonly Testimonial[];
  heir: string | undefined;
  onDismiss: () => void;
}) {
  const [only, ...others] = props.gone;
  if (!only) return null;
  return (
    <Note tone="warning" role="alert">
      <Group gap="0.375rem 0.75rem">
        <span>
          {others.length === 0 ? (
            <>
              The testimonial of <bdi>{shownName(only.submitter_name)}</bdi> was
            </>
          ) : (
            `${countOf(props.gone.length)} were`
          )}{' '}
          deleted meanwhile, so nothing was decided.
        </span>
        <Button size="compact-sm" variant="default" onClick={props.onDismiss}>
          Close
        </Button>
      </Group>
      <FocusHeir id={props.heir} />
    </Note>
  );
}
