import type { Outputs } from '@/src/ui/calls/trpc';
import type { Status } from './view';

export type Testimonial = Outputs['testimonials']['list']['data'][number];

/** How long a decision can be taken back, in ms. */
export const graceMs = 8_000;

/** The most that the service takes in one request. Contract, section 4. */
export const batchSize = 100;

/** What one key or click decided: it is sent, and taken back, as a whole. */
export type Decision = {
  status: Status;
  /** As they were before; of what was on its way then, as that was to make it. */
  testimonials: Testimonial[];
  /** When it is sent, in ms. */
  dueMs: number;
  isSent: boolean;
};

/** What was not saved: it is as before, and can be tried once more. */
export type Failure = { status: Status; testimonials: Testimonial[]; error: unknown };

export type DecisionState = {
  decisions: readonly Decision[];
  failures: readonly Failure[];
  /** What was decided on and is not there any more, until somebody has read that. */
  gone: readonly Testimonial[];
};

export const noDecisions: DecisionState = { decisions: [], failures: [], gone: [] };

type DecisionOptions = {
  now: () => number;
  /** Saves at most `batchSize`, and answers those that there still were. */
  send: (ids: string[], status: Status) => Promise<Testimonial[]>;
  /** Called with what is saved, before it is forgotten here; `missing` are gone from the service. */
  onSaved: (saved: { updated: Testimonial[]; before: Testimonial[]; missing: string[] }) => void;
};

export type Decisions = ReturnType<typeof createDecisions>;

/**
 * Decisions that can still be taken back. `sendDue` sends those whose time is over, those of one
 * status together, `sendAll` all of them at once; a failure puts theirs back as they were.
 */
export function createDecisions(options: DecisionOptions) {
  let state = noDecisions;
  const listeners = new Set<() => void>();
  /** Of all that is on its way; none of it throws. */
  let sending: Promise<unknown> = Promise.resolve();

  function set(change: Partial<DecisionState>) {
    state = { ...state, ...change };
    for (const listener of listeners) listener();
  }

  async function sendBatch(status: Status, testimonials: Testimonial[]): Promise<void> {
    const ids = testimonials.map(({ id }) => id);
    const isSent = (decision: Decision) => decision.isSent && decision.status === status;
    try {
      const updated = await options.send(ids, status);
      const found = new Set(updated.map(({ id }) => id));
      const gone = testimonials.filter(({ id }) => !found.has(id));
      options.onSaved({ updated, before: testimonials, missing: gone.map(({ id }) => id) });
      set({
        decisions: without(state.decisions, new Set(ids), isSent),
        gone: [...state.gone, ...gone],
      });
    } catch (error) {
      const decisions = without(state.decisions, new Set(ids), isSent);
      set({ decisions: decisions.map((decision) => fromWhatTheyAre(decision, testimonials)) });
      noteUnsaved({ status, testimonials, error });
    }
  }

  /** Says of these that they were not saved, unless something else was decided since. */
  function noteUnsaved({ testimonials, ...failure }: Failure): void {
    const decided = decidedStatuses(state.decisions);
    const unsaved = testimonials.filter(({ id }) => !decided.has(id));
    if (unsaved.length === 0) return;
    set({ failures: [...state.failures, { ...failure, testimonials: unsaved }] });
  }

  /** Another decision on one of these is sent and not answered: a later one could be done before it. */
  function isOvertaking({ testimonials }: Decision): boolean {
    const onTheirWay = decidedStatuses(state.decisions.filter(({ isSent }) => isSent));
    return testimonials.some(({ id }) => onTheirWay.has(id));
  }

  async function sendThose(isMeant: (decision: Decision) => boolean): Promise<void> {
    const due = state.decisions.filter((decision) => !decision.isSent && isMeant(decision));
    if (due.length === 0) return;
    set({
      decisions: state.decisions.map((decision) =>
        due.includes(decision) ? { ...decision, isSent: true } : decision,
      ),
    });
    const sends: Promise<void>[] = [];
    for (const status of new Set(due.map((decision) => decision.status))) {
      const together = due
        .filter((decision) => decision.status === status)
        .flatMap(({ testimonials }) => testimonials);
      for (let from = 0; from < together.length; from += batchSize) {
        sends.push(sendBatch(status, together.slice(from, from + batchSize)));
      }
    }
    sending = Promise.all([sending, ...sends]).then(() => undefined);
    await Promise.all(sends);
  }

  return {
    getState: () => state,

    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    /**
     * A later decision takes the place of an earlier one that is not sent yet, or was not saved. Returns
     * what can be taken back; undefined where all were like that already.
     */
    decide(testimonials: Testimonial[], status: Status, waitMs = graceMs): Decision | undefined {
      const ids = new Set(testimonials.map(({ id }) => id));
      const decisions = without(state.decisions, ids, ({ isSent }) => !isSent);
      const sent = decidedStatuses(decisions);
      const changing = testimonials
        .map((testimonial) => withStatus(testimonial, sent.get(testimonial.id)))
        .filter((testimonial) => testimonial.status !== status);
      const dueMs = options.now() + waitMs;
      const made =
        changing.length > 0 ? { status, testimonials: changing, dueMs, isSent: false } : undefined;
      if (made) decisions.push(made);
      set({ decisions, failures: without(state.failures, ids) });
      return made;
    },

    /** Takes the last decision back that is not sent, and returns it. */
    undo(): Decision | undefined {
      const last = state.decisions.findLast(({ isSent }) => !isSent);
      if (last) set({ decisions: state.decisions.filter((decision) => decision !== last) });
      return last;
    },

    /** What is decided anew waits until the answer to the decision before it is there. */
    sendDue: () =>
      sendThose((decision) => decision.dueMs <= options.now() && !isOvertaking(decision)),

    /** For whoever leaves: all requests are under way when this returns, and answered at its end. */
    async sendAll(): Promise<void> {
      await Promise.all([sendThose(() => true), sending]);
    },

    /** Sends once more, at once, what was not saved; others may still be taken back. */
    retry(isMeant: (failure: Failure) => boolean = () => true): Promise<void> {
      for (const failure of state.failures.filter(isMeant)) {
        this.decide(failure.testimonials, failure.status, 0);
      }
      return this.sendDue();
    },

    noteUnsaved,

    forgetFailures: () => set({ failures: [] }),

    forgetGone: () => set({ gone: [] }),
  };
}

/** Those that are meant without these testimonials, and none that is empty then. */
function without<Entry extends Pick<Decision, 'testimonials'>>(
  entries: readonly Entry[],
  ids: ReadonlySet<string>,
  isMeant: (entry: Entry) => boolean = () => true,
): Entry[] {
  return entries
    .map((entry) =>
      isMeant(entry)
        ? { ...entry, testimonials: entry.testimonials.filter(({ id }) => !ids.has(id)) }
        : entry,
    )
    .filter(({ testimonials }) => testimonials.length > 0);
}

function withStatus(testimonial: Testimonial, status = testimonial.status): Testimonial {
  return status === testimonial.status ? testimonial : { ...testimonial, status };
}

/** A decision that waits, after these were not saved: they are as they were. */
function fromWhatTheyAre(decision: Decision, unsaved: Testimonial[]): Decision {
  if (decision.isSent) return decision;
  const statusOf = new Map(unsaved.map(({ id, status }) => [id, status]));
  const testimonials = decision.testimonials.map((one) => withStatus(one, statusOf.get(one.id)));
  return { ...decision, testimonials };
}

/** What each testimonial is about to be. */
export function decidedStatuses(
  decisions: readonly Pick<Decision, 'status' | 'testimonials'>[],
): Map<string, Status> {
  return new Map(
    decisions.flatMap(({ status, testimonials }) => testimonials.map(({ id }) => [id, status])),
  );
}
