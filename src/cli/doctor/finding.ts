import { reasonOf } from '../../error-parts';
import { within } from '../../time-limit';

/** One thing that was looked at. */
export type Finding = {
  about: string;
  /** `bad` must be mended, or the service does not do what it is set up for. */
  state: 'well' | 'doubtful' | 'bad';
  says: string;
  /** What to do, where not all is well. */
  mend?: string;
};

type Found = Finding | Finding[];

/** Looks at one thing; what it throws is a finding too. */
export type Check = { about: string; look: () => Found | Promise<Found> };

export function well(about: string, says: string): Finding {
  return { about, state: 'well', says };
}

export function doubtful(about: string, says: string, mend: string): Finding {
  return { about, state: 'doubtful', says, mend };
}

export function bad(about: string, says: string, mend: string): Finding {
  return { about, state: 'bad', says, mend };
}

/** What to do, by the form of what is said. */
export type Mends = [RegExp, string][];

/** What to do by the first form that fits, or `otherwise`. */
export function mendBy(mends: Mends, says: string, otherwise: string): string {
  return mends.find(([form]) => form.test(says))?.[1] ?? otherwise;
}

/** Everything that is found, one check after the other, none for longer than `limitMs`. */
export async function* examine(checks: Check[], limitMs: number): AsyncGenerator<Finding> {
  for (const { about, look } of checks) {
    const late = () => {
      const says = `no answer within ${limitMs / 1000} s`;
      return bad(about, says, 'See whether it runs, and whether this machine may reach it.');
    };
    try {
      yield* [await within(limitMs, Promise.resolve(look()), late)].flat();
    } catch (error) {
      yield bad(about, reasonOf(error), 'See what it says, and look again.');
    }
  }
}
