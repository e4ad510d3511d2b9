'use client';
import { Button, Skeleton, Stack } from '@mantine/core';
import dynamic from 'next/dynamic';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { ErrorNote } from '@/src/ui/error-note';
import { FocusHeir } from '@/src/ui/focus-heir';
import { shownLater } from '@/src/ui/shown-later';
import { useView } from '@/src/ui/use-view';
import type { BatchAction, BatchScope } from './batch-run';
import { decidedStatuses, type Testimonial } from './decisions';
import { Failures } from './failures';
import { Filters, searchId } from './filters';
import { InboxHeader } from './header';
import classes from './inbox.module.css';
import { InboxList } from './inbox-list';
import { InboxListSkeleton } from './inbox-list-skeleton';
import { rowId } from './inbox-row';
import { NothingHere } from './nothing-here';
import { SelectionBar, selectionBarId } from './selection-bar';
import { StatusTabs, useCounts } from './status-tabs';
import { countOf } from './status-words';
import { UndoBar } from './undo-bar';
import { useDecisions } from './use-decisions';
import { useInbox } from './use-inbox';
import { keysButtonId, useKeys, useKeysSetting } from './use-keys';
import { useModeration } from './use-moderation';
import { inboxForm, isNarrowed, noFilters, type Status, statuses } from './view';

// For accounts that are empty: no other loads them. They follow what happens elsewhere, so what the
// server could write of them may be past before the page listens.
const FirstSteps = dynamic(
  () => import('../first-steps/first-steps').then((file) => file.FirstSteps),
  { ssr: false, loading: () => <Skeleton height={420} /> },
);

const BatchRun = shownLater(async () => (await import('./batch-run')).BatchRun);
const KeysDialog = shownLater(async () => (await import('./keys-dialog')).KeysDialog);
const TestimonialDialog = shownLater(
  async () => (await import('./testimonial-dialog')).TestimonialDialog,
);

type Open =
  | { dialog: 'keys' }
  | { dialog: 'testimonial'; testimonial: Testimonial }
  | { dialog: 'batch'; action: BatchAction; scope: BatchScope; opener: string };

/** What people said, with a decision of one key or click. */
export function Inbox() {
  const { view, change } = useView(inboxForm);
  const { state, decisions } = useDecisions();
  const decided = useMemo(() => decidedStatuses(state.decisions), [state.decisions]);
  const { counts, newest } = useCounts(view, state.decisions);
  const inbox = useInbox(view, decided);
  const { list, testimonials, total } = inbox;
  const shownTotal = view.status === 'all' || !counts ? total : counts[view.status];
  const moderation = useModeration({ view, testimonials, decisions });
  const { current, selected, decide } = moderation;
  const [open, setOpen] = useState<Open>();
  const [areKeysOn] = useKeysSetting();

  function act(action: BatchAction) {
    const chosen = testimonials.filter(({ id }) => selected.has(id));
    const batch = { dialog: 'batch' as const, action, opener: selectionBarId };
    if (moderation.isAllSelected && shownTotal !== undefined) {
      setOpen({ ...batch, scope: { view, total: shownTotal } });
    } else if (action === 'deleted') {
      setOpen({ ...batch, scope: { chosen } });
    } else {
      decide(chosen, action);
      moderation.select([]);
    }
  }

  function decideByKey(status: Status) {
    const isInList = document.activeElement?.closest('[role=feed]');
    if (selected.size > 0) act(status);
    else if (current && isInList) decide([current], status);
  }

  const latest = useRef(testimonials);
  latest.current = testimonials;
  const openOne = useCallback((id: string) => {
    const testimonial = latest.current.find((row) => row.id === id);
    if (testimonial) setOpen({ dialog: 'testimonial', testimonial });
  }, []);
  const decideOne = useCallback(
    (testimonial: Testimonial, status: Status) => decide([testimonial], status),
    [decide],
  );

  useKeys(areKeysOn, {
    j: () => moderation.move(1),
    k: () => moderation.move(-1),
    a: () => decideByKey('approved'),
    r: () => decideByKey('rejected'),
    x: () => current && moderation.toggle(current.id),
    z: moderation.undo,
    enter: () => current && openOne(current.id),
    '/': () => document.getElementById(searchId)?.focus(),
    '?': () => setOpen({ dialog: 'keys' }),
  });

  const heir = current && rowId(current.id);
  const close = () => setOpen(undefined);
  const isEmptyAccount =
    counts !== undefined && !isNarrowed(view) && statuses.every((status) => counts[status] === 0);
  /** They stay once they were begun: their first testimonial is not the last of them. */
  const [areStepsOpen, setAreStepsOpen] = useState(false);
  useEffect(() => {
    if (isEmptyAccount) setAreStepsOpen(true);
  }, [isEmptyAccount]);
  const { fetchNextPage, fetchPreviousPage, hasNextPage, hasPreviousPage } = list;

  return (
    <div className={classes.root}>
      <InboxHeader
        action={
          <Button
            id={keysButtonId}
            className={classes.keysHint}
            variant="default"
            size="xs"
            onClick={() => setOpen({ dialog: 'keys' })}
          >
            Shortcuts
          </Button>
        }
      />
      {(isEmptyAccount || areStepsOpen) && (
        <FirstSteps onHide={isEmptyAccount ? undefined : () => setAreStepsOpen(false)} />
      )}
      {!isEmptyAccount && (
        <Stack gap="md" mt={areStepsOpen ? 'xl' : undefined}>
          <StatusTabs view={view} counts={counts} onChange={(status) => change({ status })} />
          <Filters view={view} onChange={change} />
          {list.isPending && <InboxListSkeleton />}
          {!list.data && <ErrorNote {...inbox.failure} />}
          {testimonials.length > 0 && (
            <div>
              {inbox.isBehind(newest) && (
                <div>
                  <Button size="xs" variant="light" fullWidth onClick={inbox.startAgain}>
                    There are new testimonials: show them
                  </Button>
                  <FocusHeir id={undefined} />
                </div>
              )}
              <label className={classes.summary}>
                <input
                  type="checkbox"
                  aria-label="Select all that are loaded"
                  checked={testimonials.every(({ id }) => selected.has(id))}
                  onChange={({ currentTarget: { checked } }) =>
                    moderation.select(checked ? testimonials.map(({ id }) => id) : [])
                  }
                />
                <span className="numeric">
                  {shownTotal !== undefined && countOf(shownTotal)}
                  {(view.from ?? view.to) && ', days in UTC'}
                </span>
              </label>
              <InboxList
                testimonials={testimonials}
                rowsBefore={inbox.rowsBefore}
                total={shownTotal ?? -1}
                statusOf={inbox.statusOf}
                showsStatus={view.status === 'all'}
                current={current?.id}
                selected={selected}
                isFetching={inbox.isHeld}
                onDecide={decideOne}
                onSelect={moderation.toggle}
                onOpen={openOne}
                onCurrent={moderation.setCurrent}
                onNearStart={() => hasPreviousPage && void fetchPreviousPage()}
                onNearEnd={() => hasNextPage && void fetchNextPage()}
                onFarAbove={inbox.jumpTo}
              />
            </div>
          )}
          {list.data && testimonials.length === 0 && (
            <NothingHere
              view={view}
              isOver={inbox.isOver}
              isFetching={inbox.isHeld}
              onMore={() => void fetchNextPage()}
              onClear={() => change(noFilters)}
            />
          )}
        </Stack>
      )}
      <div className={classes.bars}>
        <Failures
          failures={state.failures}
          heir={heir}
          onRetry={() => void decisions.retry()}
          onDismiss={decisions.forgetFailures}
        />
        {list.data && inbox.failure && (
          <div>
            <ErrorNote {...inbox.failure} />
            <FocusHeir id={heir} />
          </div>
        )}
        {selected.size > 0 && (
          <SelectionBar
            count={moderation.isAllSelected ? (shownTotal ?? 0) : selected.size}
            total={shownTotal}
            isAll={moderation.isAllSelected}
            heir={heir}
            onSelectAll={moderation.selectAllThatMatch}
            onClear={() => moderation.select([])}
            onAct={act}
          />
        )}
        {state.decisions.length > 0 && (
          <UndoBar decisions={state.decisions} heir={heir} onUndo={moderation.undo} />
        )}
      </div>
      <div className="visually-hidden" aria-live="polite">
        {moderation.news}
      </div>
      {open?.dialog === 'keys' && <KeysDialog onClose={close} />}
      {open?.dialog === 'testimonial' && (
        <TestimonialDialog
          testimonial={open.testimonial}
          status={inbox.statusOf(open.testimonial)}
          onDecide={(testimonial, status) => {
            close();
            decide([testimonial], status);
          }}
          onDelete={() =>
            setOpen({
              dialog: 'batch',
              action: 'deleted',
              scope: { chosen: [open.testimonial] },
              opener: rowId(open.testimonial.id),
            })
          }
          onClose={close}
        />
      )}
      {open?.dialog === 'batch' && (
        <BatchRun
          {...open}
          before={decisions.sendAll}
          onChanged={() => moderation.select([])}
          onClose={close}
        />
      )}
    </div>
  );
}
