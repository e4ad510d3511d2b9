import type { Scope } from '@/src/api/scopes';
import type { ApiCall } from '@/src/ui/code/snippets';

/** A request that works with a key of these scopes as it is, and does no harm. */
export function exampleRequest(scopes: Scope[]): ApiCall {
  if (scopes.includes('read')) return { method: 'GET', path: '/testimonials' };
  if (scopes.includes('write')) {
    return { method: 'POST', path: '/spaces', body: { name: 'My first space' } };
  }
  // No space has this id, and deleting none is a success.
  return { method: 'DELETE', path: '/spaces/00000000-0000-0000-0000-000000000000' };
}
