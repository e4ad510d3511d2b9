import { APIError } from 'better-auth/api';
import { addressRange } from '../../api/forwarded';
import { ownerOf, type Principal } from '../../api/principal';
import { scope } from '../../api/scopes';
import { database } from '../../database/client';
import { accountHeader } from '../../mode';
import { auth } from './auth';

/**
 * The principal of a signed-in person, with every scope; null where nobody is signed in, or somebody
 * else than the page says that it shows. In test mode it reaches the rows of the test account. A
 * session in use is prolonged now and then: the cookie for that is added to `answerHeaders`.
 */
export async function sessionPrincipal(
  headers: Headers,
  answerHeaders?: Headers,
): Promise<Principal | null> {
  const read = auth(headers).api.getSession({
    headers,
    returnHeaders: true,
    query: { disableRefresh: !answerHeaders },
  });
  const { response: session, headers: sent } = await read.catch(noneWhereEnded);
  for (const cookie of sent.getSetCookie()) answerHeaders?.append('set-cookie', cookie);
  // A sign-in that was under way as the account was closed.
  if (!session || session.user.closedAt) return null;
  const { id: sessionId, testAccountId } = session.session;
  const accountId = session.user.id;
  // Signed in to in another tab: nothing that this page asks for is meant for that account.
  if (showsAnother(headers, accountId)) return null;
  return {
    ...(testAccountId ? { accountId: testAccountId, liveAccountId: accountId } : { accountId }),
    scopes: scope.options,
    via: 'session',
    sessionId,
    addressRange: addressRange(headers),
  };
}

/** One that ends while it is prolonged is told as an error, and is one that is over. */
function noneWhereEnded(error: unknown): { response: null; headers: Headers } {
  if (!(error instanceof APIError) || error.statusCode !== 401) throw error;
  return { response: null, headers: new Headers() };
}

/** The same with the rows of the person's own account, whatever the mode: for what is about the account. */
export async function ownerPrincipal(headers: Headers): Promise<Principal | null> {
  const principal = await sessionPrincipal(headers);
  if (!principal) return null;
  const { liveAccountId: _, ...rest } = principal;
  return { ...rest, accountId: ownerOf(principal) };
}

/**
 * Ends the session of these headers, if there is one. The sign-in library takes the cookie back also where
 * it could not: whoever had copied it would go on.
 */
export async function endOwnSession(headers: Headers): Promise<void> {
  const found = await auth(headers).api.getSession({ headers, query: { disableRefresh: true } });
  if (found) await database().session.deleteMany({ where: { id: found.session.id } });
}

/** Whether somebody is signed in, and somebody else than the page says that it shows. */
export async function isOfAnotherAccount(headers: Headers): Promise<boolean> {
  if (!headers.has(accountHeader)) return false;
  const session = await auth(headers).api.getSession({ headers, query: { disableRefresh: true } });
  return session !== null && showsAnother(headers, session.user.id);
}

function showsAnother(headers: Headers, accountId: string): boolean {
  const shown = headers.get(accountHeader);
  return shown !== null && shown !== accountId;
}
