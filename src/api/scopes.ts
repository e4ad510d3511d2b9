import { z } from 'zod';

/** What a key may be allowed to do. Contract, section 5. */
export const scope = z.enum(['read', 'write', 'delete']);

export type Scope = z.infer<typeof scope>;

/** What an operation needs of a key: one scope, several together, or that it has any at all. */
export type RequiredScope = Scope | readonly Scope[] | 'any';

/** The scopes that a key must have, all of them. */
export function neededScopes(required: RequiredScope): readonly Scope[] {
  if (required === 'any') return [];
  return typeof required === 'string' ? [required] : required;
}
