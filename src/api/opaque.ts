/** Values in a form that clients keep and give back, and do not look into: cursors. */
export function toOpaque(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** The value of an opaque text, to be checked; undefined where it is of no value. */
export function fromOpaque(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return undefined;
  }
}
