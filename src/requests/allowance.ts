import { randomUUID } from 'node:crypto';
import type { Entry } from './entry';

const minuteMs = 60_000;

/** What an account has had of a minute: rows, and by status those that count what had none. */
type Minute = { rows: number; refusals: number; counts: Map<number, Entry> };

type Allowance = {
  /**
   * Whether the entry may have a row of its own. Where it may not, it is counted. `isRefusal`: it took
   * nothing of the account's rate limit, so nothing else bounds how many there are.
   */
  admits(entry: Entry, isRefusal: boolean, now: number): boolean;
  /** The rows that count what was left out in the minutes that are over; with `all`, in this one too. */
  takeCounts(now: number, all?: boolean): Entry[];
  /** Whether there are or will be such rows. */
  hasCounts(): boolean;
};

/** Bounds the rows of an account by the minute, so that nobody can fill the disk. */
export function createAllowance(limits: {
  rowsPerMinute: number;
  refusalsPerMinute: number;
}): Allowance {
  const minutes = new Map<string, Minute>();
  let present = Number.NaN;
  let hasCounted = false;
  let over: Entry[] = [];

  const endMinute = () => {
    if (hasCounted) for (const { counts } of minutes.values()) over.push(...counts.values());
    minutes.clear();
    hasCounted = false;
  };

  const turnTo = (now: number) => {
    const minute = Math.floor(now / minuteMs);
    if (minute === present) return;
    endMinute();
    present = minute;
  };

  const minuteOf = (accountId: string): Minute => {
    const known = minutes.get(accountId);
    if (known) return known;
    const minute: Minute = { rows: 0, refusals: 0, counts: new Map() };
    minutes.set(accountId, minute);
    return minute;
  };

  return {
    admits(entry, isRefusal, now) {
      turnTo(now);
      const { accountId, receivedAt, status } = entry;
      const minute = minuteOf(accountId);
      const kind = isRefusal ? 'refusals' : 'rows';
      if (minute[kind] < (isRefusal ? limits.refusalsPerMinute : limits.rowsPerMinute)) {
        minute[kind] += 1;
        return true;
      }
      hasCounted = true;
      const counted = minute.counts.get(status);
      if (counted) counted.count += 1;
      else minute.counts.set(status, { id: randomUUID(), accountId, receivedAt, status, count: 1 });
      return false;
    },
    takeCounts(now, all = false) {
      turnTo(now);
      if (all) endMinute();
      const rows = over;
      over = [];
      return rows;
    },
    hasCounts: () => hasCounted || over.length > 0,
  };
}
