'use client';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useIsMutating } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { focusOnceDrawn } from '@/src/ui/browser/use-focus-return';
import { describeError, isUncertain } from '@/src/ui/calls/errors';
import { CopyNote, CopyWords } from '@/src/ui/code/copy-button';
import { useCopy } from '@/src/ui/code/use-copy';
import { ErrorNote } from '@/src/ui/components/error-note';
import { Note } from '@/src/ui/components/note';
import { shownName } from '@/src/ui/components/shown-name';
import { StopButton } from '@/src/ui/components/stop-button';
import { Dialog, DialogActions, DialogWords } from '@/src/ui/overlays/dialog';
import { curlOf, deletionRequest, statusRequest } from './api-requests';
import type { BatchProgress } from './batch-walk';
import { batchSize } from './decisions';
import { countOf } from './status-words';
import { type BatchAction, type BatchScope, useBatchRun } from './use-batch-run';

const verbs: Record<BatchAction, string> = {
  approved: 'Approve',
  rejected: 'Reject',
  pending: 'Set back to pending',
  deleted: 'Delete',
};

const participles: Record<BatchAction, string> = {
  approved: 'approved',
  rejected: 'rejected',
  pending: 'set back to pending',
  deleted: 'deleted',
};

/** Asks, then changes a hundred at a time, and says how far it is and what failed. */
export function BatchRun(props: {
  action: BatchAction;
  scope: BatchScope;
  opener: string | undefined;
  /** Done first: what is decided and not saved yet. */
  before: () => Promise<unknown>;
  onChanged: () => void;
  onClose: () => void;
}) {
  const { action, scope } = props;
  const run = useBatchRun(props);
  const copying = useCopy();
  const { progress, total, only } = run;
  const isOver = progress !== undefined && !run.isRunning;
  const actions = useRef<HTMLDivElement>(null);
  const isMutating = useIsMutating() > 0;
  // The button that has the focus gives way to others at the end.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what these say is which buttons there are
  useEffect(() => {
    focusOnceDrawn([actions.current?.querySelector('[data-autofocus]')]);
  }, [run.isRunning, isMutating]);

  function copyRequest() {
    const ids =
      'chosen' in scope ? scope.chosen.slice(0, batchSize).map(({ id }) => id) : ['ID-1', 'ID-2'];
    const request = action === 'deleted' ? deletionRequest(ids) : statusRequest(ids, action);
    copying.copy(curlOf(request, window.location.origin));
  }

  const meant = only ? (
    <>
      the testimonial of <bdi>{shownName(only.submitter_name)}</bdi>
    </>
  ) : (
    countOf(total)
  );
  return (
    <Dialog
      title={
        <>
          {verbs[action]} {meant}
          {!progress && '?'}
        </>
      }
      opener={props.opener}
      isSticky={run.isRunning}
      onClose={props.onClose}
    >
      <Stack gap="md">
        {!progress && (
          <DialogWords>
            <Consequence action={action} isOne={only !== undefined} />
          </DialogWords>
        )}
        {progress && (
          <Progress
            progress={progress}
            asked={run.asked}
            isWhole={run.isWhole}
            isOver={isOver}
            action={action}
            isOfView={'view' in scope}
          />
        )}
        {isOver && <Failure progress={progress} action={action} />}
        {run.isRunning ? (
          <StopButton onStop={run.stop} />
        ) : (
          <Group ref={actions} justify="space-between" gap="sm">
            <Stack gap={6} align="flex-start">
              <Button size="xs" variant="default" onClick={copyRequest}>
                <CopyWords copying={copying}>Copy as API request</CopyWords>
              </Button>
              <CopyNote copying={copying} isOutOfSight />
            </Stack>
            <DialogActions
              cancelLabel={isOver ? 'Close' : 'Cancel'}
              isCancelFocused
              onCancel={props.onClose}
            >
              <NextButton run={run} action={action} />
            </DialogActions>
          </Group>
        )}
      </Stack>
    </Dialog>
  );
}

/** While nothing is under way: begins, goes on, or tries again what failed; none where all is done. */
function NextButton({ run, action }: { run: ReturnType<typeof useBatchRun>; action: BatchAction }) {
  const color = action === 'deleted' ? 'red.9' : undefined;
  if (!run.progress) {
    return (
      <Button color={color} onClick={run.start}>
        {verbs[action]}
      </Button>
    );
  }
  if (!run.isWhole) {
    return (
      <Button color={color} onClick={run.goOn}>
        Go on
      </Button>
    );
  }
  if (run.progress.failedIds.length === 0) return null;
  return <Button onClick={run.tryAgain}>Try these again</Button>;
}

function Failure({ progress, action }: { progress: BatchProgress; action: BatchAction }) {
  const { failedIds, error } = progress;
  if (failedIds.length === 0) return <ErrorNote error={error} />;
  return (
    <Note tone="bad" role="alert">
      {countOf(failedIds.length)} {isUncertain(error) ? 'may not be' : 'not'} {participles[action]}.{' '}
      {describeError(error)}
    </Note>
  );
}

function Consequence({ action, isOne }: { action: BatchAction; isOne: boolean }) {
  const deleted = isOne
    ? 'It is deleted for good, with its uploaded files, and webhooks are told.'
    : 'They are deleted for good, and webhooks are told of each. Their uploaded files stay: these go with a testimonial that is deleted alone, or with a space.';
  return (
    <Text size="sm">
      {action === 'deleted'
        ? `${deleted} This cannot be undone.`
        : 'They are saved at once, a hundred at a time, and webhooks are told of each. You can stop in between.'}
    </Text>
  );
}

/** Once all were tried, the others of those that were asked for are no part of the whole. */
function Progress(props: {
  progress: BatchProgress;
  asked: number;
  isWhole: boolean;
  isOver: boolean;
  action: BatchAction;
  /** Of all that match, some may have been decided on by others. */
  isOfView: boolean;
}) {
  const { done, failedIds, isWaiting } = props.progress;
  const tried = done + failedIds.length;
  const total = props.isWhole ? tried : Math.max(props.asked, tried);
  return (
    <div>
      <progress
        style={{ width: '100%', accentColor: 'var(--mantine-primary-color-filled)' }}
        // Of nothing, nothing is left to do.
        max={total || 1}
        value={tried || (props.isWhole ? 1 : 0)}
        aria-label="Progress"
      />
      <Text size="sm" role="status" className="numeric">
        {props.isWhole && total === 0
          ? `No testimonial was ${participles[props.action]}`
          : `${done.toLocaleString('en')} of ${countOf(total)} ${participles[props.action]}`}
        {isWaiting && '. Too many requests: going on in a moment'}
        {props.isOver && total > tried && `. ${inWords(total - tried)} not tried`}
      </Text>
      {props.isWhole && props.asked > total && (
        <Text size="sm" c="dimmed" className="numeric">
          {inWords(props.asked - total, total === 0 ? '' : 'more ')}{' '}
          {props.action === 'deleted' ? 'gone' : participles[props.action]} already
          {props.isOfView && ', or not among these any more'}
        </Text>
      )}
    </div>
  );
}

function inWords(count: number, more = ''): string {
  return `${count.toLocaleString('en')} ${more}${count === 1 ? 'was' : 'were'}`;
}
