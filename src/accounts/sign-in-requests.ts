import { z } from 'zod';
import { text } from '../api/fields';
import { asSignedIn, invalid, readBody, refusal, throttle } from './answers';
import { auth, isSignUpOpen } from './auth';
import { voidLinksOf } from './links';
import { noteRightPassword, type Try } from './throttle';

/** Signing in, up and out, and a new password for who knows the old one: by the sign-in library. */

/** As typed, right or wrong. */
export const typedPassword = z.string().min(1).max(1000);

const credentials = z.object({ email: text(1, 320), password: typedPassword });
const newAccount = credentials.extend({ name: text(1, 100).optional() });
const passwords = z.object({ currentPassword: typedPassword, newPassword: typedPassword });

export async function signIn(request: Request): Promise<Response> {
  const { headers } = request;
  const body = await readBody(request, credentials);
  if (!body) return invalid();
  const tried: Try = { action: 'sign-in', account: body.email, headers };
  const refused = await throttle(tried);
  if (refused) return refused;
  const answer = await auth(headers).api.signInEmail({ body, headers, asResponse: true });
  if (answer.ok) await noteRightPassword(tried);
  return answer;
}

export async function signUp(request: Request): Promise<Response> {
  const { headers } = request;
  const body = await readBody(request, newAccount);
  if (!body) return invalid();
  const refused = await throttle({ action: 'sign-up', headers });
  if (refused) return refused;
  // Before anybody looks whether the address is known.
  if (!(await isSignUpOpen())) {
    return refusal(403, 'SIGN_UP_CLOSED', 'Sign-up is closed. Ask whoever runs the service.');
  }
  const answer = await auth(headers).api.signUpEmail({
    body: { ...body, name: body.name ?? body.email },
    headers,
    asResponse: true,
  });
  if (answer.ok) {
    await noteRightPassword({ action: 'sign-in', account: body.email, headers });
  }
  return answer;
}

export function signOut({ headers }: Request): Promise<Response> {
  return auth(headers).api.signOut({ headers, asResponse: true });
}

/** Whoever knew the old password is signed out with it, whatever the page asked for. */
export async function changePassword(request: Request): Promise<Response> {
  const { headers } = request;
  const body = await readBody(request, passwords);
  if (!body) return invalid();
  return asSignedIn(request, async ({ accountId }) => {
    const tried: Try = { action: 'change-password', account: accountId, headers };
    const refused = await throttle(tried);
    if (refused) return refused;
    const answer = await auth(headers).api.changePassword({
      body: { ...body, revokeOtherSessions: true },
      headers,
      asResponse: true,
    });
    if (answer.ok) {
      await Promise.all([noteRightPassword(tried), voidLinksOf(accountId)]);
    }
    return answer;
  });
}
