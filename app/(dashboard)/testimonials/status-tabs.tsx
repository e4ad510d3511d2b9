'use client';
import { useQueries } from '@tanstack/react-query';
import { useTRPC } from '@/src/ui/calls/trpc';
import type { Decision } from './decisions';
import classes from './status-tabs.module.css';
import { statusNames } from './status-words';
import { countInputs, type InboxView, type Status, statuses } from './view';

/** Where nothing waits, one looks out for what comes. */
const refreshMs = { some: 30_000, none: 4_000 };

type Counts = Record<Status, number> | undefined;

/**
 * How many there are of each status, with what is decided and not sent yet; and when the newest of
 * those that the view shows came in.
 */
export function useCounts(
  view: InboxView,
  decisions: readonly Decision[],
): { counts: Counts; newest: string | undefined } {
  const trpc = useTRPC();
  const pages = useQueries({
    queries: countInputs(view).map((input) =>
      trpc.testimonials.list.queryOptions(input, {
        refetchInterval: ({ state }) =>
          input.status === 'pending' && state.data?.pagination.total === 0
            ? refreshMs.none
            : refreshMs.some,
      }),
    ),
    combine: (answers) => answers.map((answer) => answer.data),
  });
  const counts = { pending: 0, approved: 0, rejected: 0 };
  let newest = '';
  for (const [index, status] of statuses.entries()) {
    const page = pages[index];
    if (page === undefined) return { counts: undefined, newest: undefined };
    counts[status] += page.pagination.total;
    const [first] = page.data;
    const isShown = view.status === 'all' || view.status === status;
    if (first && isShown && first.created_at > newest) newest = first.created_at;
  }
  for (const { testimonials, status } of decisions) {
    for (const { status: before } of testimonials) {
      counts[status] += 1;
      counts[before] -= 1;
    }
  }
  return { counts, newest };
}

export function StatusTabs(props: {
  view: InboxView;
  counts: Counts;
  onChange: (status: InboxView['status']) => void;
}) {
  const { counts, view } = props;
  const all = counts && statuses.reduce((sum, status) => sum + counts[status], 0);
  const tabs = [
    ...statuses.map((status) => ({ status, name: statusNames[status], count: counts?.[status] })),
    { status: 'all' as const, name: 'All', count: all },
  ];
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has a legend, and looks of its own
    <div className={classes.tabs} role="group" aria-label="Status">
      {tabs.map(({ status, name, count }) => (
        <button
          key={status}
          type="button"
          className={classes.tab}
          aria-pressed={view.status === status}
          onClick={() => props.onChange(status)}
        >
          {name}
          <span className={classes.count}>{count?.toLocaleString('en')}</span>
        </button>
      ))}
    </div>
  );
}
