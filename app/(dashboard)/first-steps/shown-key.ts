/** A key while it is shown. */
export type ShownKey = { id: string; key: string };
