import { z } from 'zod';
import { text } from '../api/fields';
import { addressRange } from '../api/forwarded';
import { database } from '../database/client';
import { log } from '../log';
import { done, invalid, readBody, refusal, throttle } from './answers';
import { auth, isSignUpOpen, keepIfAlone } from './auth';
import { inHashingTurn } from './hashing-turns';
import { digestOfEmail, isStillPassword } from './password';
import { endOwnSession, isOfAnotherAccount } from './session';
import { isFromKnownNetwork, noteRightPassword, type Try } from './throttle';

/** Signing in, up and out: by the sign-in library. */

/** As typed, right or wrong. */
export const typedPassword = z.string().min(1).max(1000);

const credentials = z.object({ email: text(1, 320), password: typedPassword });
const newAccount = credentials.extend({ name: text(1, 100).optional() });
const begun = z.object({ token: z.string(), user: z.object({ id: z.string() }) });

export async function signIn(request: Request): Promise<Response> {
  const { headers } = request;
  const body = await readBody(request, credentials);
  if (!body) return invalid();
  const tried: Try = { action: 'sign-in', account: body.email, headers };
  const refused = await throttle(tried);
  if (refused) return refused;
  const who = { request, isKnown: await isFromKnownNetwork(tried), tried };
  const answer = await inHashingTurn(who, () => beginSession(headers, body));
  if (answer.ok) await noteRightPassword(tried);
  // No more lines than the throttle lets tries in.
  else log().warn({ component: 'auth', from: addressRange(headers) }, 'sign-in refused');
  return answer;
}

/**
 * Signs in, unless the password is replaced while it is compared, which takes a tenth of a second: what
 * ends every session would miss the one that is just begun.
 */
export async function beginSession(
  headers: Headers,
  body: { email: string; password: string },
): Promise<Response> {
  const digest = await digestOfEmail(body.email.toLowerCase());
  const answer = await auth(headers).api.signInEmail({ body, headers, asResponse: true });
  if (!answer.ok) return answer;
  const { token, user } = begun.parse(await answer.clone().json());
  if (digest !== undefined && (await isStillPassword(user.id, digest))) return answer;
  await database().session.deleteMany({ where: { token } });
  return refusal(401, 'INVALID_EMAIL_OR_PASSWORD', 'Invalid email or password');
}

export async function signUp(request: Request): Promise<Response> {
  const { headers } = request;
  const body = await readBody(request, newAccount);
  if (!body) return invalid();
  const tried: Try = { action: 'sign-up', headers };
  const refused = await throttle(tried);
  if (refused) return refused;
  // Before anybody looks whether the address is known.
  if (!(await isSignUpOpen())) return signUpClosed();
  const answer = await inHashingTurn({ request, isKnown: false, tried }, () =>
    auth(headers).api.signUpEmail({
      body: { ...body, name: body.name ?? body.email },
      headers,
      asResponse: true,
    }),
  );
  if (!answer.ok) return answer;
  const { user } = begun.parse(await answer.clone().json());
  if (!(await keepIfAlone(user.id))) return signUpClosed();
  await noteRightPassword({ action: 'sign-in', account: body.email, headers });
  return answer;
}

function signUpClosed(): Response {
  return refusal(403, 'SIGN_UP_CLOSED', 'Sign-up is closed. Ask whoever runs the service.');
}

/** Of a page that shows another account than the one signed in to, the own session is over already. */
export async function signOut({ headers }: Request): Promise<Response> {
  if (await isOfAnotherAccount(headers)) return done();
  await endOwnSession(headers);
  return auth(headers).api.signOut({ headers, asResponse: true });
}
