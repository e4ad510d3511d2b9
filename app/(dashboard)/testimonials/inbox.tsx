'use client';
import { Button, Skeleton, Stack } from '@mantine/core';
import dynamic from 'next/dynamic';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useView } from '@/src/ui/browser/use-view';
import { ErrorNote } from '@/src/ui/components/error-note';
import { decidedStatuses, type Testimonial } from './decisions';
import { Filters, searchId } from './filters';
import { InboxHeader } from './header';
import classes from './inbox.module.css';
import { InboxBars } from './inbox-bars';
import { InboxDialog, type OpenDialog } from './inbox-dialog';
import { InboxFound } from './inbox-found';
import { InboxListSkeleton } from './inbox-list-skeleton';
import { NothingHere } from './nothing-here';
import { selectedInWords, selectionBarId } from './selection-bar';
import { StatusTabs, useCounts } from './status-tabs';
import type { BatchAction } from './use-batch-run';
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

/** What people said, with a decision of one key or click. */
export function Inbox() {
  const { view, change } = useView(inboxForm);
  const { state, decisions } = useDecisions();
  const decided = useMemo(() => decidedStatuses(state.decisions), [state.decisions]);
  const { counts, newest } = useCounts(view, state.decisions);
  const inbox = useInbox(view, decided);
  const { list, testimonials } = inbox;
  const total = view.status === 'all' || !counts ? inbox.total : counts[view.status];
  const [areKeysOn] = useKeysSetting();
  const moderation = useModeration({ view, testimonials, total, decisions, areKeysOn });
  const { current, selected, selectedCount, decide } = moderation;
  const [open, setOpen] = useState<OpenDialog>();

  function act(action: BatchAction) {
    const chosen = testimonials.filter(({ id }) => selected.has(id));
    const batch = { dialog: 'batch' as const, action, opener: selectionBarId };
    if (moderation.isAllSelected && total !== undefined) {
      setOpen({ ...batch, scope: { view, total } });
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

  const isEmptyAccount =
    counts !== undefined && !isNarrowed(view) && statuses.every((status) => counts[status] === 0);
  /** They stay once they were begun: their first testimonial is not the last of them. */
  const [areStepsOpen, setAreStepsOpen] = useState(false);
  useEffect(() => {
    if (isEmptyAccount) setAreStepsOpen(true);
  }, [isEmptyAccount]);

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
            <InboxFound
              view={view}
              inbox={inbox}
              moderation={moderation}
              total={total}
              newest={newest}
              onDecide={decideOne}
              onOpen={openOne}
            />
          )}
          {list.data && testimonials.length === 0 && (
            <NothingHere
              view={view}
              isOver={inbox.isOver}
              isFetching={inbox.isHeld}
              onMore={() => void list.fetchNextPage()}
              onClear={() => change(noFilters)}
            />
          )}
        </Stack>
      )}
      <InboxBars
        state={state}
        decisions={decisions}
        inbox={inbox}
        moderation={moderation}
        total={total}
        onAct={act}
      />
      <div className="visually-hidden" aria-live="polite">
        {/* Blocks, or Orca reads both of them where one changes. */}
        <div key={moderation.news.id}>{moderation.news.text}</div>
        <div>{selectedCount > 0 && selectedInWords(selectedCount)}</div>
      </div>
      <InboxDialog
        open={open}
        onChange={setOpen}
        inbox={inbox}
        moderation={moderation}
        decisions={decisions}
      />
    </div>
  );
}
