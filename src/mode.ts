/** Whether what is meant is real, or the data that a person tries things out with. */
export const modes = ['live', 'test'] as const;

export type Mode = (typeof modes)[number];

/** By which a page says what it shows. One that says nothing shows what is live. */
export const modeHeader = 'x-shown-mode';

/** By which a page says whose account it shows, as an id, in either mode. One may say nothing. */
export const accountHeader = 'x-shown-account';

/** The same in the address of a link, which can send no header. */
export const accountParameter = 'shown_account';

/** Of each bound that test data has for itself: this part of what a live account may have. */
const testPart = 1 / 4;

/** The bound that holds in a mode, of the one that a live account has. Whole, and rounded up. */
export function boundIn(mode: Mode, bound: number): number {
  return mode === 'test' ? Math.ceil(bound * testPart) : bound;
}
