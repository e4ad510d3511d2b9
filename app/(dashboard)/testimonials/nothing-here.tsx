'use client';
import { Button } from '@mantine/core';
import { useEffect } from 'react';
import { FocusHeir } from '@/src/ui/browser/focus-heir';
import { EmptyState } from '@/src/ui/components/empty-state';
import { CircleCheck, Inbox } from '@/src/ui/components/icons';
import { searchId } from './filters';
import { InboxListSkeleton } from './inbox-list-skeleton';
import { statusNames } from './status-words';
import { type InboxView, isNarrowed } from './view';

/** What stands where no row is shown; where all that were loaded are decided, it asks for more. */
export function NothingHere(props: {
  view: InboxView;
  isOver: boolean;
  isFetching: boolean;
  onMore: () => void;
  onClear: () => void;
}) {
  const { view, isOver, isFetching, onMore } = props;
  useEffect(() => {
    if (!isOver && !isFetching) onMore();
  }, [isOver, isFetching, onMore]);
  if (!isOver) return <InboxListSkeleton />;
  if (isNarrowed(view)) {
    return (
      <EmptyState
        icon={<Inbox size={20} />}
        title="No testimonials match"
        action={
          <>
            <Button variant="default" onClick={props.onClear}>
              Clear filters
            </Button>
            <FocusHeir id={searchId} />
          </>
        }
      >
        {whyNone(view)}
      </EmptyState>
    );
  }
  if (view.status === 'pending') {
    return (
      <EmptyState icon={<CircleCheck size={20} />} title="All done">
        Nothing waits for a decision. New testimonials appear here.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={<Inbox size={20} />} title="None yet">
      {view.status === 'all'
        ? 'There is nothing.'
        : `${statusNames[view.status]} testimonials appear here.`}
    </EmptyState>
  );
}

function whyNone({ from, to }: InboxView): string {
  if (from && to && from > to) return 'The day “From” is after the day “To”.';
  const change = 'Change the filters or the search to see more.';
  return (from ?? to) ? `${change} Days are those of UTC.` : change;
}
