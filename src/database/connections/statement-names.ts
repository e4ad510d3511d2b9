import { createHash } from 'node:crypto';
import { isPooled } from './address';

/** Every connection keeps this many statements at most, each some tens of kilobytes. */
const maxNames = 200;

/**
 * Gives each statement a name of its own, under which the connections of one server keep it parsed
 * and planned. The empty name, which keeps nothing, once there are too many, and for all where a
 * pooler between may hand a connection to another client: `pgbouncer=true` in the address says so,
 * as for Prisma. The embedded database, all of whose connections are one session, says it of itself.
 *
 * A name is made of the statement, and another process or version has the same for the same one only:
 * where nobody has said that there is such a pooler, the server then refuses a name that it does not
 * know, or knows already. With numbers it would run what another process has under the same one.
 */
export function statementNames(url: string) {
  const isShared = isPooled(url);
  const names = new Map<string, string>();
  return (statement: string): string => {
    if (isShared) return '';
    const known = names.get(statement);
    if (known !== undefined) return known;
    if (names.size >= maxNames) return '';
    const name = `s${createHash('sha256').update(statement).digest('base64url')}`;
    names.set(statement, name);
    return name;
  };
}
