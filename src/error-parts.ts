/**
 * What an error says of itself, whatever was thrown. By its fields and not by its class: what Node throws
 * need not be of this realm's.
 */

/** As `ENOENT`, or as the database has it; undefined where it has none. */
export function codeOf(error: unknown): string | undefined {
  return textOf(error, 'code');
}

/** What was asked of the system, as `open` or `connect`; undefined where it was not asked. */
export function syscallOf(error: unknown): string | undefined {
  return textOf(error, 'syscall');
}

/** By which Next names an error to whoever sees the page; undefined of one that it has not seen. */
export function digestOf(error: unknown): string | undefined {
  return textOf(error, 'digest');
}

/** A name with several addresses fails once for each, under one error without a message: the first's. */
export function messageOf(error: unknown): string {
  const own = textOf(error, 'message');
  if (error instanceof AggregateError && own === '') return messageOf(error.errors[0]);
  return own ?? String(error);
}

/** What went wrong, which `fetch` says by the cause of its error alone. */
export function reasonOf(error: unknown): string {
  const cause: unknown = Reflect.get(Object(error), 'cause');
  return (cause === undefined ? '' : messageOf(cause)) || messageOf(error) || String(error);
}

function textOf(error: unknown, name: string): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const value: unknown = Reflect.get(error, name);
  return typeof value === 'string' ? value : undefined;
}
