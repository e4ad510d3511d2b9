/** Whether each `%` escapes a byte, and what they escape is UTF-8. RFC 3986, section 2.1. */
export function isWellEscaped(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
