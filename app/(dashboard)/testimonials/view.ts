import type { Testimonial } from '@/src/testimonials/schema';
import { queryString } from '@/src/ui/browser/query-string';
import type { Query, ViewForm } from '@/src/ui/browser/use-view';

export type Status = Testimonial['status'];

export const statuses: Status[] = ['pending', 'approved', 'rejected'];

const sortings = {
  newest: { sort_by: 'created_at', sort_order: 'desc' },
  oldest: { sort_by: 'created_at', sort_order: 'asc' },
  changed: { sort_by: 'updated_at', sort_order: 'desc' },
  best: { sort_by: 'rating', sort_order: 'desc' },
  worst: { sort_by: 'rating', sort_order: 'asc' },
  shared: { sort_by: 'shares', sort_order: 'desc' },
} as const;

type SortingName = keyof typeof sortings;

const sortingNames: Record<SortingName, string> = {
  newest: 'Newest first',
  oldest: 'Oldest first',
  changed: 'Last changed first',
  best: 'Best rating first',
  worst: 'Worst rating first',
  shared: 'Most shared first',
};

export const sortingChoices = (Object.keys(sortings) as SortingName[]).map((value) => ({
  value,
  label: sortingNames[value],
}));

/** Which testimonials are shown, and in which order; all of it stands in the address. */
export type InboxView = {
  status: Status | 'all';
  space?: string;
  type?: Testimonial['type'];
  rating?: number;
  /** Days in UTC, `2026-01-31`, so that an address shows everybody the same. */
  from?: string;
  to?: string;
  search?: string;
  sort: SortingName;
};

/** What one meets without having chosen anything: what waits for a decision. */
const plainView: InboxView = { status: 'pending', sort: 'newest' };

/** What takes every filter away, and leaves status and order. */
export const noFilters = {
  space: undefined,
  type: undefined,
  rating: undefined,
  from: undefined,
  to: undefined,
  search: undefined,
} satisfies Record<Exclude<keyof InboxView, 'status' | 'sort'>, undefined>;

const maxSearchCharacters = 1000;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What the address says; what it says wrong is left out. */
function parseView(query: Query): InboxView {
  const one = (name: string) => {
    const value = query[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const space = one('space');
  const rating = Number(one('rating'));
  return {
    status:
      query.status === 'all' ? 'all' : (statuses.find((s) => s === query.status) ?? 'pending'),
    space: space && uuid.test(space) ? space : undefined,
    type: (['text', 'video'] as const).find((type) => type === query.type),
    rating: [1, 2, 3, 4, 5].find((stars) => stars === rating),
    from: day(one('from')),
    to: day(one('to')),
    search: one('search')?.slice(0, maxSearchCharacters),
    sort: sortingNameOf(query.sort) ?? plainView.sort,
  };
}

export function sortingNameOf(text: unknown): SortingName | undefined {
  return sortingChoices.find(({ value }) => value === text)?.value;
}

/** A day of the calendar, or nothing. */
export function day(text: string | undefined): string | undefined {
  if (!text || !/^\d{4}-\d\d-\d\d$/.test(text)) return undefined;
  const date = new Date(`${text}T00:00:00Z`);
  // The thirtieth of February is a day in March to Date.
  const isReal = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
  return isReal ? text : undefined;
}

function formatView(view: InboxView): string {
  const chosen = Object.entries(view).filter(
    ([name, value]) => value !== undefined && value !== plainView[name as keyof InboxView],
  );
  return queryString(Object.fromEntries(chosen.map(([name, value]) => [name, String(value)])));
}

export const inboxForm: ViewForm<InboxView> = { parse: parseView, format: formatView };

/** Whether something narrows the list besides the status. */
export function isNarrowed(view: InboxView): boolean {
  return (Object.keys(noFilters) as (keyof typeof noFilters)[]).some(
    (name) => view[name] !== undefined,
  );
}

/** What the service is asked for; without the paging. */
export function filtersOf(view: InboxView) {
  return {
    status: view.status === 'all' ? undefined : view.status,
    space_id: view.space,
    type: view.type,
    rating: view.rating,
    search: view.search,
    date_from: view.from && `${view.from}T00:00:00Z`,
    date_to: view.to && `${view.to}T23:59:59.999999Z`,
  };
}

/** The same for the server's first paint and for the browser, or it would be asked twice. */
export function listInput(view: InboxView) {
  return { ...filtersOf(view), ...sortings[view.sort], limit: pageSize };
}

/** How many there are of each status: kept by the service, unless it would have to count. */
export function countInputs(view: InboxView) {
  if (view.search ?? view.from ?? view.to) return [];
  return statuses.map((status) => ({ ...filtersOf(view), status, limit: 1 }));
}

const pageSize = 50;
