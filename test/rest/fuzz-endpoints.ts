import { webhookLimits } from '@/src/webhooks/limits';
import type { WebhookEndpoint } from '@/src/webhooks/schema';
import type { Answer } from '../helpers/client';

/** What of an endpoint a client decides; how its deliveries fare changes with every event. */
type KnownEndpoint = Pick<WebhookEndpoint, 'id' | 'url' | 'description' | 'event_types' | 'status'>;

/** The endpoints that an account must have, by id, the oldest first. */
export type KnownEndpoints = Map<string, KnownEndpoint>;

export function known(endpoint: WebhookEndpoint): KnownEndpoint {
  const { id, url, description, event_types, status } = endpoint;
  return { id, url, description, event_types, status };
}

/** Checks the answer of an operation on endpoints, and brings what is known of them up to date. */
export function applyToEndpoints(
  endpoints: KnownEndpoints,
  sent: { method: string; template: string; id: string },
  input: Partial<WebhookEndpoint> & { enabled?: boolean },
  { status, body }: Answer,
): void {
  const { method, template, id } = sent;
  const existing = endpoints.get(id);
  switch (`${method} ${template}`) {
    case 'GET /webhook-endpoints':
      expect(body.data.map(known)).toEqual([...endpoints.values()].reverse());
      return;
    case 'POST /webhook-endpoints': {
      expect(status).toBe(endpoints.size < webhookLimits.endpointsPerAccount ? 201 : 409);
      if (status === 409) return;
      const made = known(body.data);
      expect(made).toEqual(changed({ ...made, description: null, status: 'enabled' }, input));
      endpoints.set(made.id, made);
      return;
    }
    case 'DELETE /webhook-endpoints/{id}':
      expect(status).toBe(endpoints.delete(id) ? 204 : 404);
      return;
    default:
      expect(status).toBe(existing ? 200 : 404);
      if (!existing) return;
      if (method === 'PATCH') endpoints.set(id, changed(existing, input));
      expect(known(body.data)).toEqual(endpoints.get(id));
  }
}

function changed(
  before: KnownEndpoint,
  input: Partial<WebhookEndpoint> & { enabled?: boolean },
): KnownEndpoint {
  const { url, description, event_types, enabled } = input;
  return {
    ...before,
    ...(url !== undefined && { url }),
    // Without the white space around it.
    ...(description !== undefined && { description: description?.trim() || null }),
    ...(event_types && { event_types: [...new Set(event_types)] }),
    ...(enabled !== undefined && { status: enabled ? 'enabled' : 'paused' }),
  };
}
