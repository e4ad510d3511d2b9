/** How often it is looked for what comes, where it is waited for. */
export const pollMs = { inDialog: 1_500, onPage: 4_000 };

/** Those that came in last, with the one that was shown as the first, unless very many came since. */
export const newestInput = { limit: 20 };

/** The space that a first testimonial goes into: the newest. */
export const spaceInput = { limit: 1 };
