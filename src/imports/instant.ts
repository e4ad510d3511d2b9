const form = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)$/;

const [first, last] = [Date.parse('0001-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59.999Z')];

/**
 * An instant of ISO 8601 in UTC and cut to microseconds, in a form that Postgres takes. Undefined
 * where it is none, and outside of the years 1 to 9999 in UTC, which answers could not write. By hand,
 * because `Date` knows milliseconds, and Postgres rounds and refuses large offsets.
 */
export function utcMicroseconds(instant: string): string | undefined {
  const [, seconds = '', fraction = '', offset = ''] = form.exec(instant) ?? [];
  const ms = Date.parse(`${seconds}${offset}`);
  if (!(ms >= first && ms <= last)) return undefined;
  const utc = new Date(ms).toISOString().slice(0, 19);
  return `${utc}.${fraction.slice(0, 6).padEnd(6, '0')}Z`;
}
