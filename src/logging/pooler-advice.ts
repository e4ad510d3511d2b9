import { codeOf, messageOf } from '../error-parts';

/** What to do where a pooler stands in front that nobody has named. */
const poolerAdvice =
  'Add ?pgbouncer=true to DATABASE_URL: a pooler in front gives a connection to one client after another.';

/** A prepared statement that is not there, or is there already: another client has the connection's. */
const codes = new Set<string | undefined>(['26000', '42P05']);

/** As Prisma tells of it. */
const asTold = /Code: `(?<code>\w+)`/;

/** The advice for an error that comes of such a pooler; undefined for any other. */
export function poolerAdviceFor(error: unknown): string | undefined {
  const told = asTold.exec(messageOf(error))?.groups?.code;
  return codes.has(codeOf(error)) || codes.has(told) ? poolerAdvice : undefined;
}
