import { ApiError } from './errors';
import type { RequiredScope, Scope } from './scopes';

/** Who acts, and what they may do. */
export type Principal = {
  accountId: string;
  scopes: readonly Scope[];
  via: 'api-key' | 'session';
  /** Undefined for a session. */
  keyId?: string;
  /** Undefined for an API key. */
  sessionId?: string;
  /** The account's, which changes with its testimonials and spaces. Undefined for a session. */
  version?: string;
  /** What the account stores, as of the lookup of the key. Undefined for a session. */
  storedBytes?: number;
};

/** @throws ApiError INSUFFICIENT_SCOPE */
export function requireScope(principal: Principal, scope: RequiredScope): void {
  if (scope !== 'any' && !principal.scopes.includes(scope)) {
    throw new ApiError('INSUFFICIENT_SCOPE', {
      message: `The API key lacks the scope "${scope}", which this operation needs.`,
    });
  }
}
