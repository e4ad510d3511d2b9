import { contractEventTypes } from '@/src/outbox/event-types';
import type { ApiCall } from '@/src/ui/code/snippets';

/** The requests of the first steps; each works as it stands, and the last is the one that is sent. */

export const listCall: ApiCall = { method: 'GET', path: '/testimonials' };

export function testimonialCall(spaceId: string): ApiCall {
  return {
    method: 'POST',
    path: '/testimonials',
    body: {
      space_id: spaceId,
      type: 'text',
      submitter_name: 'Ada Park',
      submitter_email: 'ada@example.com',
      text_content: 'We answered our first customer within a minute.',
      rating: 5,
    },
  };
}

export function endpointCall(url: string): ApiCall {
  return {
    method: 'POST',
    path: '/webhook-endpoints',
    body: { url, event_types: [...contractEventTypes] },
  };
}

export function testEventCall(endpointId: string): ApiCall {
  return { method: 'POST', path: `/webhook-endpoints/${endpointId}/test` };
}
