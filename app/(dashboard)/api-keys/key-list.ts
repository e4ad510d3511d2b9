import { keyStatus } from './key-status';

/** Which keys are shown, and which first. */
export type KeysView = { search: string; status: StatusFilter; order: KeyOrder };

export const statusFilters = ['all', 'active', 'ending', 'off'] as const;
export type StatusFilter = (typeof statusFilters)[number];

export const keyOrders = ['created', 'used', 'name', 'expiry'] as const;
export type KeyOrder = (typeof keyOrders)[number];

type Key = {
  name: string;
  hint: string;
  enabled: boolean;
  expires_at: string | null;
  last_used_at: string | null;
  created_at: string;
};

/** The keys that the view asks for, in its order; `search` is looked for in name and hint. */
export function viewKeys<K extends Key>(keys: K[], view: KeysView, now: Date): K[] {
  const term = folded(view.search.trim());
  return keys
    .filter(
      (key) =>
        (folded(key.name).includes(term) || key.hint.includes(term)) &&
        (view.status === 'all' || statusOf(key, now) === view.status),
    )
    .sort(orders[view.order]);
}

/** Whatever the case, and a letter with its marks as one character. */
const folded = (text: string) => text.toLowerCase().normalize();

function statusOf(key: Key, now: Date): StatusFilter {
  const { tone } = keyStatus(key, now);
  if (tone === 'over') return 'off';
  return tone === 'warning' ? 'ending' : 'active';
}

/** Instants of one form sort as text does. Each order ends with the newest key first. */
const orders: Record<KeyOrder, (one: Key, other: Key) => number> = {
  created: newest,
  used: (one, other) =>
    compare(other.last_used_at ?? '', one.last_used_at ?? '') || newest(one, other),
  name: (one, other) =>
    one.name.localeCompare(other.name, undefined, { numeric: true }) || newest(one, other),
  // Those that never end come last.
  expiry: (one, other) =>
    compare(one.expires_at ?? '~', other.expires_at ?? '~') || newest(one, other),
};

function newest(one: Key, other: Key): number {
  return compare(other.created_at, one.created_at);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
