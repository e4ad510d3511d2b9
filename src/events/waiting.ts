import { setTimeout as sleep } from 'node:timers/promises';
import { Prisma } from '../database/generated/client';
import { readRows } from '../database/read-rows';
import { tellOnceAMinute } from '../logging/lasting-failure';
import { log } from '../logging/log';
import { setListener } from '../outbox/due';
import { singleton } from '../singleton';

export type WaitingLimits = {
  /** Requests that wait at once in this process. */
  total: number;
  perAccount: number;
  /** How often it is asked whether another process has written, as long as anybody waits. */
  pollMs: number;
  /** How long one rests after a look in vain, for each of its account who waits. */
  restMs: number;
};

const waitingLimits: WaitingLimits = { total: 2_000, perAccount: 100, pollMs: 500, restMs: 5 };

/** The positions of the newest events of accounts; those that are gone are left out. */
export type ReadHeads = (accountIds: string[]) => Promise<Map<string, number>>;

/** One request that waits for new events. It holds no connection of the database. */
type Waiting = {
  /**
   * Resolves to true once the account may have events behind the position, also where they came
   * since `enter`; to false when `ms` have passed, the client has left, or the process stops.
   */
  until(position: number, ms: number): Promise<boolean>;
  /**
   * To be waited for after a look that found nothing, as where others types came than were asked for.
   * Without it each write of an account would cost a look of everybody who waits there.
   */
  rest(): Promise<void>;
  leave(): void;
};

type Waiter = {
  /** Behind which it waits. */
  position: number;
  /** Whether something came while it did not wait, but read. */
  isDue: boolean;
  hasLeft: boolean;
  end: (came: boolean) => void;
};

type WaitingRoom = ReturnType<typeof createWaitingRoom>;

/**
 * Keeps requests waiting for events: a write of this process ends the wait of its account at once,
 * one of another process with the next poll, one statement for all who wait.
 */
export function createWaitingRoom(limits: WaitingLimits, readHeads: ReadHeads) {
  const byAccount = new Map<string, Set<Waiter>>();
  let count = 0;
  let isClosed = false;
  let isPolling = false;

  async function poll(): Promise<void> {
    isPolling = false;
    if (count === 0) return;
    const heads = await readHeads([...byAccount.keys()]).catch((error: unknown) => {
      tellOnceAMinute('events-looked-for', (times) => {
        log().warn({ err: error, times }, 'events were not looked for');
      });
      return new Map<string, number>();
    });
    for (const [account, head] of heads) {
      for (const waiter of byAccount.get(account) ?? []) {
        if (head > waiter.position) waiter.end(true);
      }
    }
    pollLater();
  }

  function pollLater(): void {
    if (!isPolling) setTimeout(poll, limits.pollMs).unref();
    isPolling = true;
  }

  return {
    /** Undefined where as many wait as may. */
    enter(accountId: string): Waiting | undefined {
      const waiters = byAccount.get(accountId) ?? new Set();
      if (count >= limits.total || waiters.size >= limits.perAccount) return undefined;
      const waiter: Waiter = {
        position: Number.POSITIVE_INFINITY,
        isDue: false,
        hasLeft: false,
        end: (came) => {
          waiter.isDue ||= came;
        },
      };
      byAccount.set(accountId, waiters.add(waiter));
      count += 1;
      const note = waiter.end;
      return {
        until(position, ms) {
          const isDue = waiter.isDue;
          waiter.isDue = false;
          // First: where an account writes without end, something is due whenever it is asked.
          if (isClosed || waiter.hasLeft || ms <= 0) return Promise.resolve(false);
          if (isDue) return Promise.resolve(true);
          return new Promise((resolve) => {
            const late = setTimeout(() => waiter.end(false), ms);
            waiter.position = position;
            waiter.end = (came) => {
              clearTimeout(late);
              waiter.end = note;
              waiter.position = Number.POSITIVE_INFINITY;
              resolve(came);
            };
            pollLater();
          });
        },
        rest: () => sleep(waiters.size * limits.restMs, undefined, { ref: false }),
        leave() {
          if (waiter.hasLeft) return;
          waiter.hasLeft = true;
          waiter.end(false);
          waiters.delete(waiter);
          count -= 1;
          if (waiters.size === 0) byAccount.delete(accountId);
        },
      };
    },

    /** Says that the account may have new events. */
    announce(accountId: string): void {
      for (const waiter of byAccount.get(accountId) ?? []) waiter.end(true);
    },

    /** Ends every wait, and lets nobody wait any more. */
    close(): void {
      isClosed = true;
      for (const waiters of byAccount.values()) for (const waiter of waiters) waiter.end(false);
    },
  };
}

/** Where the requests of this process wait. */
export function waitingRoom(): WaitingRoom {
  return singleton('event-waiting-room', () => {
    const room = createWaitingRoom(waitingLimits, readHeads);
    setListener(room.announce);
    return room;
  });
}

async function readHeads(accountIds: string[]): Promise<Map<string, number>> {
  const rows = await readRows<{ id: string; head: number }>(Prisma.sql`
    SELECT id, event_position::float8 AS head FROM users WHERE id = ANY (${accountIds}::uuid[])`);
  return new Map(rows.map(({ id, head }) => [id, head]));
}
