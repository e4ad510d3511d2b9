'use client';
import { Button } from '@mantine/core';
import { FocusHeir } from '@/src/ui/browser/focus-heir';
import classes from './inbox.module.css';
import { InboxList } from './inbox-list';
import type { RowActions } from './inbox-row';
import { countOf } from './status-words';
import type { InboxRows } from './use-inbox';
import type { Moderation } from './use-moderation';
import type { InboxView } from './view';

/** The rows that are shown, and above them how many there are. */
export function InboxFound(
  props: Pick<RowActions, 'onDecide' | 'onOpen'> & {
    view: InboxView;
    inbox: InboxRows;
    moderation: Moderation;
    total: number | undefined;
    /** When the newest came in of those that could be shown. */
    newest: string | undefined;
  },
) {
  const { view, inbox, moderation, total } = props;
  const { testimonials } = inbox;
  const { selected } = moderation;
  const { fetchNextPage, fetchPreviousPage, hasNextPage, hasPreviousPage } = inbox.list;
  return (
    <div>
      <div aria-live="polite">
        {inbox.isBehind(props.newest) && (
          <>
            <Button size="xs" variant="light" fullWidth onClick={inbox.startAgain}>
              There are new testimonials: show them
            </Button>
            <FocusHeir id={undefined} />
          </>
        )}
      </div>
      <label className={classes.summary}>
        <input
          type="checkbox"
          autoComplete="off"
          aria-label="Select all that are loaded"
          checked={testimonials.every(({ id }) => selected.has(id))}
          onChange={({ currentTarget: { checked } }) =>
            moderation.select(checked ? testimonials.map(({ id }) => id) : [])
          }
        />
        <span className="numeric">
          {total !== undefined && countOf(total)}
          {(view.from ?? view.to) && ', days in UTC'}
        </span>
      </label>
      <InboxList
        testimonials={testimonials}
        rowsBefore={inbox.rowsBefore}
        total={total ?? -1}
        statusOf={inbox.statusOf}
        showsStatus={view.status === 'all'}
        current={moderation.current?.id}
        selected={selected}
        isBusy={inbox.isBusy}
        isHeld={inbox.isHeld}
        onDecide={props.onDecide}
        onSelect={moderation.toggle}
        onOpen={props.onOpen}
        onCurrent={moderation.setCurrent}
        onNearStart={() => hasPreviousPage && void fetchPreviousPage()}
        onNearEnd={() => hasNextPage && void fetchNextPage()}
        onFarAbove={inbox.jumpTo}
      />
    </div>
  );
}
