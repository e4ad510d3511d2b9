/** The newest spaces: as many as a list of choices can hold. */
export const spacesInput = { limit: 100 };
