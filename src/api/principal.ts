import type { Mode } from '../mode';
import { ApiError } from './errors';
import { neededScopes, type RequiredScope, type Scope } from './scopes';

/** Who acts, and what they may do. */
export type Principal = {
  /** Whose rows it reaches: in test mode those of the test account. */
  accountId: string;
  /** The account whose test data that is. Undefined where what it reaches is live. */
  liveAccountId?: string;
  scopes: readonly Scope[];
  via: 'api-key' | 'session';
  /** Undefined for a session. */
  keyId?: string;
  /** Undefined for an API key. */
  sessionId?: string;
  /** Of a session: where the call came from. Undefined where that is not known. */
  addressRange?: string | undefined;
  /** The account's, which changes with its testimonials and spaces. Undefined for a session. */
  version?: string;
  /** What the account stores, as of the lookup of the key. Undefined for a session. */
  storedBytes?: number;
};

/** Whether it reaches live rows or test data. */
export function modeOf({ liveAccountId }: Pick<Principal, 'liveAccountId'>): Mode {
  return liveAccountId === undefined ? 'live' : 'test';
}

/**
 * The account of the person, in both modes: whom settings are about, and whom fairness counts, so that
 * test data gives nobody a second share.
 */
export function ownerOf({
  accountId,
  liveAccountId,
}: Pick<Principal, 'accountId' | 'liveAccountId'>): string {
  return liveAccountId ?? accountId;
}

/** @throws ApiError INSUFFICIENT_SCOPE, which names the first scope that is missing */
export function requireScope(principal: Principal, required: RequiredScope): void {
  const missing = neededScopes(required).find((scope) => !principal.scopes.includes(scope));
  if (missing) {
    throw new ApiError('INSUFFICIENT_SCOPE', {
      message: `The API key lacks the scope "${missing}", which this operation needs.`,
    });
  }
}
