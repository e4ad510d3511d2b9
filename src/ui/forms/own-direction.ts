/** `attributes` of a field, for what is typed into it: a `dir` is given to what is around the field. */
export const ownDirection = { input: { dir: 'auto' } };
