import { type EventType, eventTypes } from '@/src/outbox/event-types';
import { queryString } from '@/src/ui/browser/query-string';
import type { Query, ViewForm } from '@/src/ui/browser/use-view';
import type { DeliveryPage, ListDeliveriesInput } from '@/src/webhooks/delivery-schema';

/** Which deliveries are shown, and which one is open; all of it stands in the address. */
export type DeliveriesView = {
  state?: DeliveryState;
  event?: EventType;
  /** The id of the delivery in the side sheet. */
  delivery?: string;
};

export type DeliveryState = NonNullable<ListDeliveriesInput['state']>;

export const deliveryStates: DeliveryState[] = ['pending', 'succeeded', 'failed'];

const pageSize = 25;

/** What the address says; what it says wrong is left out. */
function parseView(query: Query): DeliveriesView {
  const { delivery } = query;
  return {
    state: deliveryStates.find((state) => state === query.state),
    event: eventTypes.find((type) => type === query.event),
    delivery:
      typeof delivery === 'string' && /^[0-9a-f-]{36}$/.test(delivery) ? delivery : undefined,
  };
}

export const deliveriesForm: ViewForm<DeliveriesView> = {
  parse: parseView,
  format: queryString,
  isStep: (from, to) => !from.delivery && to.delivery !== undefined,
};

/** The same for the server's first paint and for the browser, or it would be asked twice. */
export function deliveriesInput(endpointId: string, view: DeliveriesView) {
  return {
    endpoint_id: endpointId,
    state: view.state,
    event_type: view.event,
    limit: pageSize,
  };
}

/** How to ask for the page after this one. */
export const deliveryPaging = { getNextPageParam: (page: DeliveryPage) => page.next_cursor };
