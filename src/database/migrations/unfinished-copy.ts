/** Stands in a database for as long as rows are being copied into it: how far that is. */
export const progressTable = 'unfinished_copy';
