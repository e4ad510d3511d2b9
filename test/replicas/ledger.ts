/** What an account has held, state after state, to tell whether an answer shows one that it may show. */
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';

/** A testimonial or a space, as the answer to its last change had it. */
export const row = z.looseObject({
  id: z.string(),
  created_at: z.string(),
  status: z.string().optional(),
  text_content: z.string().nullish(),
});
export type Row = z.infer<typeof row>;

type State = {
  testimonials: ReadonlyMap<string, Row>;
  spaces: ReadonlyMap<string, Row>;
};

type Change = (state: State) => State;

/** A request, and what its answer is in a state: the body where it is 200. */
export type Read = { path: string; expected(state: State): { status: number; body?: unknown } };

export type Ledger = {
  now(): State;
  /** Makes a change; one after the other. What it resolves to leads to the next state. */
  write(send: () => Promise<Change>): Promise<void>;
  /**
   * To be called as a read begins. What it returns is called with the answer as it has come, and
   * resolves to whether that is the state of some moment in between: no older than what was
   * acknowledged, or seen by a read that had ended, before this one began.
   */
  read(): (answer: { status: number; body: unknown }, read: Read) => Promise<boolean>;
};

export function createLedger(first: State): Ledger {
  const states = [first];
  let writing: Promise<void> | undefined;
  let seen = 0;
  const last = () => states.length - 1;
  const stateAt = (index: number) => states[index] ?? first;
  return {
    now: () => stateAt(last()),
    async write(send) {
      writing = send().then((change) => {
        states.push(change(stateAt(last())));
      });
      try {
        await writing;
      } finally {
        writing = undefined;
      }
    },
    read() {
      const from = Math.max(last(), seen);
      return async (answer, { expected }) => {
        // A change whose answer is still to come may be seen already.
        const to = last() + (writing ? 1 : 0);
        await writing;
        for (let at = from; at <= to; at += 1) {
          const { status, body } = expected(stateAt(at));
          if (answer.status !== status) continue;
          if (status === 200 && !isDeepStrictEqual(answer.body, body)) continue;
          // The oldest that it can be: no more is known.
          seen = Math.max(seen, at);
          return true;
        }
        return false;
      };
    },
  };
}

/** One page of a list, newest first. */
export function pageOf(
  rows: Iterable<Row>,
  { limit, offset = 0 }: { limit: number; offset?: number },
) {
  const sorted = [...rows].sort(
    (a, b) => compare(b.created_at, a.created_at) || compare(b.id, a.id),
  );
  const data = sorted.slice(offset, offset + limit);
  const has_more = sorted.length > offset + limit;
  return { data, pagination: { total: sorted.length, limit, offset, has_more } };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** The state with these testimonials changed, added or, where undefined, taken away. */
export function withTestimonials(changes: Iterable<[string, Row | undefined]>): Change {
  return ({ testimonials, spaces }) => {
    const changed = new Map(testimonials);
    for (const [id, row] of changes) {
      if (row) changed.set(id, row);
      else changed.delete(id);
    }
    return { spaces, testimonials: changed };
  };
}

export function withSpace(space: Row): Change {
  return ({ testimonials, spaces }) => ({
    testimonials,
    spaces: new Map(spaces).set(space.id, space),
  });
}
