/** The id of what opens a request: where the focus goes back to. */
export function requestButtonId(id: string): string {
  return `request-${id}`;
}
