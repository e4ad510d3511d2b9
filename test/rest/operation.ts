import type { Scope } from '@/src/api/scopes';
import type { Tenant } from '../helpers/accounts';

/** One operation as the contract lists it (section 4), or the docs, told apart from the code under test. */
export type ApiOperation = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  template: string;
  /** One, or several together. */
  scope: Scope | readonly Scope[];
  success: 200 | 201 | 204;
  cors: boolean;
  /** Where there may be no body, although it is a POST. */
  isBodyOptional?: true;
  /** False where it is allowed in a full account, although it writes. */
  needsRoom?: false;
  /** Makes the rows it needs and returns a request that succeeds. */
  prepare(tenant: Tenant): Promise<{ path: string; json?: unknown }>;
};

/** A new testimonial, in a space of its own. */
export const testimonialOf = async (tenant: Tenant) =>
  (await tenant.testimonial((await tenant.space()).id)).id;
