import type { Principal } from '../api/principal';
import { scope } from '../api-keys/schema';
import { auth } from './auth';

/** The principal of a signed-in person, with every scope; null where nobody is signed in. */
export async function sessionPrincipal(headers: Headers): Promise<Principal | null> {
  const session = await auth().api.getSession({ headers });
  return session && { accountId: session.user.id, scopes: scope.options, via: 'session' };
}
