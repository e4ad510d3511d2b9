/** The newest spaces: as many as one answer has. */
export const spacesInput = { limit: 100 };

/** So many spaces are choices at most: a list of them is still one to choose from. */
export const maxChoices = 1_000;
