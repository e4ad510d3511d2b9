/** How often it is looked for what comes, where it is waited for. */
export const pollMs = { inDialog: 1_500, onPage: 4_000 };

/** A testimonial that came in, whichever is the newest. */
export const newestInput = { limit: 1 };

/** The space that a first testimonial goes into: the newest. */
export const spaceInput = { limit: 1 };
