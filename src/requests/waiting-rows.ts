import { bytesOf, type Entry } from './entry';

type Queue = { entries: Entry[]; bytes: number };

type WaitingRows = {
  /** Keeps an entry until it is taken, in the order of its account. */
  add(entry: Entry): void;
  /** Takes up to `count`, of the account whose turn it is and then of the next. */
  take(count: number): Entry[];
  /** Gives back what was taken and could not be written. */
  putBack(entries: Entry[]): void;
  size(): number;
  /** Whether any were thrown away since it was last asked how many. */
  hasDropped(): boolean;
  /** How many were thrown away since this was last asked. */
  takeDropped(): number;
};

/**
 * Entries that wait to be written, bounded in number and bytes. Where there is no room, the oldest
 * of the account that takes the most room goes, so that none pushes another's out.
 */
export function createWaitingRows(limits: {
  waitingRows: number;
  waitingBytes: number;
}): WaitingRows {
  /** The accounts in the order of their turns. */
  const queues = new Map<string, Queue>();
  let rows = 0;
  let bytes = 0;
  let dropped = 0;

  const queueOf = (accountId: string): Queue => {
    const known = queues.get(accountId);
    if (known) return known;
    const queue: Queue = { entries: [], bytes: 0 };
    queues.set(accountId, queue);
    return queue;
  };

  const note = (queue: Queue, count: number, size: number) => {
    queue.bytes += size;
    rows += count;
    bytes += size;
  };

  const largest = () => {
    let found: [string, Queue] | undefined;
    for (const candidate of queues) {
      if (!found || candidate[1].bytes > found[1].bytes) found = candidate;
    }
    return found;
  };

  const makeRoom = () => {
    while (rows > limits.waitingRows || bytes > limits.waitingBytes) {
      const [accountId, queue] = largest() ?? [];
      const oldest = queue?.entries.shift();
      if (accountId === undefined || !queue || !oldest) return;
      note(queue, -1, -bytesOf(oldest));
      dropped += oldest.count;
      if (queue.entries.length === 0) queues.delete(accountId);
    }
  };

  return {
    add(entry) {
      const queue = queueOf(entry.accountId);
      queue.entries.push(entry);
      note(queue, 1, bytesOf(entry));
      makeRoom();
    },
    take(count) {
      const taken: Entry[] = [];
      for (const [accountId, queue] of queues) {
        if (taken.length >= count) break;
        const entries = queue.entries.splice(0, count - taken.length);
        note(queue, -entries.length, -entries.reduce((sum, entry) => sum + bytesOf(entry), 0));
        taken.push(...entries);
        queues.delete(accountId);
        // Behind the others, for the next turn.
        if (queue.entries.length > 0) queues.set(accountId, queue);
      }
      return taken;
    },
    putBack(entries) {
      for (const entry of entries.toReversed()) {
        const queue = queueOf(entry.accountId);
        queue.entries.unshift(entry);
        note(queue, 1, bytesOf(entry));
      }
      makeRoom();
    },
    size: () => rows,
    hasDropped: () => dropped > 0,
    takeDropped() {
      const count = dropped;
      dropped = 0;
      return count;
    },
  };
}
