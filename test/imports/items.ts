import { minimalTestimonial, type Tenant } from '../helpers/accounts';

/** An item with nothing but what a create needs, and an external id where one is given. */
export function item(spaceId: string, externalId?: string, fields: Record<string, unknown> = {}) {
  return {
    ...minimalTestimonial(spaceId),
    ...(externalId !== undefined && { external_id: externalId }),
    ...fields,
  };
}

/** Sends an import and returns its answer's body. @throws Error where it is no success */
export async function importInto(
  tenant: Tenant,
  testimonials: unknown[],
  options: Record<string, unknown> = {},
) {
  const { status, text, body } = await tenant.api.post('/imports', { testimonials, ...options });
  if (status !== 200) throw new Error(`${status} ${text}`);
  return body;
}

/** What became of each item. */
export const results = (body: { data: { result: string }[] }) =>
  body.data.map(({ result }) => result);

/** All that an account has, the newest first. */
export const storedOf = async ({ api }: Tenant) =>
  (await api.get('/testimonials?limit=100')).body.data;
