/** The ids of what opens a dialog or the side sheet: where the focus goes back to. */
export const createEndpointId = 'create-endpoint';
export const sendTestId = 'send-test';
export const endpointButtonId = 'endpoint-actions';
export const replayFailedId = 'replay-failed';

export function deliveryButtonId(id: string): string {
  return `delivery-${id}`;
}
