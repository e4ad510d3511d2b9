import { createTenant, type Tenant } from '../helpers/accounts';
import { insertTestimonials } from '../helpers/rows';

export type Query = Record<string, string | number>;

/** The answer to a list with these parameters, which is to succeed. */
export async function list(tenant: Tenant, query: Query = {}) {
  const search = new URLSearchParams(Object.entries(query).map(([k, v]) => [k, String(v)]));
  const answer = await tenant.api.get(`/testimonials?${search}`);
  if (answer.status !== 200) throw new Error(`${search}: ${answer.status} ${answer.text}`);
  return answer.body;
}

/** A new account with these rows in one space. */
export async function tenantWith(rows: Record<string, string | number | null>[]) {
  const tenant = await createTenant();
  const space = await tenant.space();
  return { tenant, space, rows: await insertTestimonials(space, rows) };
}
