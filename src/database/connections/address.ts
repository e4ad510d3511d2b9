/** What the address of a database says beside where it is. */
import { longestTimerMs } from '../../time-limit';

/** For people, without user and password. */
export function describeAddress(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}

/** Whether a pooler between may hand a connection to another client: `pgbouncer=true`, as for Prisma. */
export function isPooled(url: string): boolean {
  return new URL(url).searchParams.get('pgbouncer') === 'true';
}

/** How long a server may say nothing: `socket_timeout` in the address, in seconds, as for Prisma. */
export function silenceOf(url: string, otherwiseMs: number): number {
  const seconds = Number(new URL(url).searchParams.get('socket_timeout'));
  return seconds > 0 ? Math.min(seconds * 1000, longestTimerMs) : otherwiseMs;
}
