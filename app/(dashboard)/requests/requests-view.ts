import type { ListRequestsInput, RequestPage } from '@/src/requests/schema';
import { queryString } from '@/src/ui/browser/query-string';
import type { Query, ViewForm } from '@/src/ui/browser/use-view';
import { hourMs } from '@/src/ui/time/durations';

/** Which requests are shown, and which one is open; all of it stands in the address. */
export type RequestsView = {
  status?: StatusClass;
  /** Method and route: `GET /testimonials/{id}`. */
  route?: string;
  /** The id of a key. */
  key?: string;
  time?: Time;
  /** The hour from this instant on, in UTC; instead of a time. */
  hour?: string;
  /** The X-Request-Id of the request in the side sheet. */
  request?: string;
};

type StatusClass = NonNullable<ListRequestsInput['status']>;
type Time = (typeof times)[number];

export const statusClasses: StatusClass[] = ['2xx', '3xx', '4xx', '5xx'];
export const times = ['1h', '24h'] as const;

const hoursOf = { '1h': 1, '24h': 24 } as const;
const pageSize = 50;

const uuidForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What the address says; what it says wrong is left out. */
function parseView(query: Query): RequestsView {
  const matching = (name: string, form: RegExp) => {
    const value = query[name];
    return typeof value === 'string' && form.test(value) ? value : undefined;
  };
  return {
    status: statusClasses.find((status) => status === query.status),
    route: matching('route', /^[A-Z]{3,7} \/[\w/{}-]{0,80}$/),
    key: matching('key', uuidForm),
    time: times.find((time) => time === query.time),
    hour: realHour(matching('hour', /^\d{4}-\d\d-\d\dT\d\d:00:00Z$/)),
    request: matching('request', uuidForm),
  };
}

export const requestsForm: ViewForm<RequestsView> = {
  parse: parseView,
  format: queryString,
  isStep: (from, to) => !from.request && to.request !== undefined,
};

/** Whether some requests are left out. */
export function isFiltered({ request: _, ...filters }: RequestsView): boolean {
  return Object.values(filters).some((value) => value !== undefined);
}

/** The same for the server's first paint and for the browser, or it would be asked twice. */
export function requestsInput({ status, route, key, time, hour }: RequestsView) {
  return {
    status,
    operation: route,
    key_id: key,
    last_hours: time && !hour ? hoursOf[time] : undefined,
    from: hour,
    to: hour && endOf(hour),
    limit: pageSize,
  };
}

/** How many hours the chart shows: the time that is chosen, but a day at least. */
export function volumeHours({ time }: RequestsView): number {
  return time ? 24 : 168;
}

/** The text of a search, as an X-Request-Id. */
export function parseRequestId(text: string): string | undefined {
  const id = text.trim().toLowerCase();
  return uuidForm.test(id) ? id : undefined;
}

/** Undefined for the 30th of February, and for the last hour of all, whose end has a year of five digits. */
function realHour(hour: string | undefined): string | undefined {
  const at = new Date(hour ?? '');
  if (!hour || Number.isNaN(at.getTime()) || endOf(hour).startsWith('+')) return undefined;
  return at.toISOString() === hour.replace('Z', '.000Z') ? hour : undefined;
}

function endOf(hour: string): string {
  return new Date(Date.parse(hour) + hourMs).toISOString();
}

type Line = RequestPage['data'][number];

/**
 * The lines that are shown: those that stood there, and the newest as they are now. Where there is a
 * gap between, the newest alone, so that nobody takes what is missing for nothing.
 */
export function joinPages(shown: RequestPage | undefined, newest: RequestPage): RequestPage {
  const last = newest.data.at(-1);
  if (!shown || !last) return newest;
  const known = new Set(newest.data.map(({ id }) => id));
  const isWhole = newest.next_cursor === null || shown.data.some(({ id }) => known.has(id));
  if (!isWhole) return newest;
  const older = shown.data.filter((line) => !known.has(line.id) && isOlder(line, last));
  return { data: [...newest.data, ...older], next_cursor: shown.next_cursor };
}

/** A page behind the lines that are shown. */
export function appendPage(shown: RequestPage, older: RequestPage): RequestPage {
  const known = new Set(shown.data.map(({ id }) => id));
  const added = older.data.filter(({ id }) => !known.has(id));
  return { data: [...shown.data, ...added], next_cursor: older.next_cursor };
}

/** Instants of one form, and ids: their text has their order. */
function isOlder(line: Line, than: Line): boolean {
  return `${line.received_at},${line.id}` < `${than.received_at},${than.id}`;
}
