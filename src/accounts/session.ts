import type { Principal } from '../api/principal';
import { scope } from '../api/scopes';
import { auth } from './auth';

/**
 * The principal of a signed-in person, with every scope; null where nobody is signed in. A session
 * in use is prolonged now and then: the cookie for that is added to `answerHeaders`.
 */
export async function sessionPrincipal(
  headers: Headers,
  answerHeaders?: Headers,
): Promise<Principal | null> {
  const { response: session, headers: sent } = await auth(headers).api.getSession({
    headers,
    returnHeaders: true,
    query: { disableRefresh: !answerHeaders },
  });
  for (const cookie of sent.getSetCookie()) answerHeaders?.append('set-cookie', cookie);
  return (
    session && {
      accountId: session.user.id,
      scopes: scope.options,
      via: 'session',
      sessionId: session.session.id,
    }
  );
}
