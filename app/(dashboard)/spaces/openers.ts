/** The ids of what opens a dialog: where the focus goes back to when it closes. */
export const createSpaceId = 'create-space';

export function spaceButtonId(space: { id: string }): string {
  return `actions-${space.id}`;
}
