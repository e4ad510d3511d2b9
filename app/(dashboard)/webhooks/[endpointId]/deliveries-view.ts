import { type EventType, eventTypes } from '@/src/outbox/event-types';
import type { DeliveryPage, ListDeliveriesInput } from '@/src/webhooks/schema';

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
export function parseView(query: Record<string, string | string[] | undefined>): DeliveriesView {
  const { delivery } = query;
  return {
    state: deliveryStates.find((state) => state === query.state),
    event: eventTypes.find((type) => type === query.event),
    delivery:
      typeof delivery === 'string' && /^[0-9a-f-]{36}$/.test(delivery) ? delivery : undefined,
  };
}

/** The query of an address, `?` included; empty where nothing is chosen. */
export function formatView(view: DeliveriesView): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(view)) if (value) query.set(name, value);
  return query.size > 0 ? `?${query}` : '';
}

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
