/** The ids of what opens a dialog: where the focus goes back to when it closes. */
export const createKeyId = 'create-key';

export function keyButtonId(apiKey: { id: string }): string {
  return `actions-${apiKey.id}`;
}
