import { createTenant, minimalTestimonial, type Tenant } from '../helpers/accounts';
import type { Answer, SendOptions } from '../helpers/client';
import { sendDescribed } from './conformance';

/** For a test file: an account with a space, and requests of its own. */
export function describedRequests() {
  let tenant: Tenant;
  let spaceId: string;

  beforeAll(async () => {
    tenant = await createTenant();
    spaceId = (await tenant.space()).id;
  });

  /** Every answer is one that the document describes: no other 500 than for a body that is no JSON. */
  const attempt = (method: string, path: string, options: Omit<SendOptions, 'key'> = {}) =>
    sendDescribed(method, path, { key: tenant.api.key, ...options });

  const create = (fields: Record<string, unknown>) =>
    attempt('POST', '/testimonials', { json: { ...minimalTestimonial(spaceId), ...fields } });

  return { attempt, create, account: () => ({ tenant, spaceId }) };
}

export const code = (answer: Answer) => answer.body?.error?.code ?? answer.status;
