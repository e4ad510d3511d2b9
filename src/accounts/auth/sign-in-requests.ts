import { z } from 'zod';
import { ApiError } from '../../api/errors';
import { logFailure } from '../../api/failure-log';
import { text } from '../../api/fields';
import { addressRange } from '../../api/forwarded';
import { database } from '../../database/client';
import { log } from '../../logging/log';
import { accountIdOf, createAccount, createAccountInput, EmailTakenError } from '../accounts';
import { passwordLimits } from '../limits';
import { digestOfEmail, isStillPassword } from '../password';
import { done, Refused, readBody, refusal, throttle } from './answers';
import { auth, isSignUpOpen, keepIfAlone } from './auth';
import { inHashingTurn } from './hashing-turns';
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
  const tried: Try = { action: 'sign-in', account: body.email, headers };
  await throttle(tried);
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
async function beginSession(
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
  const tried: Try = { action: 'sign-up', headers };
  await throttle(tried);
  // Before anybody looks whether the address is known.
  if (!(await isSignUpOpen())) return signUpClosed();
  const answer = await inHashingTurn({ request, isKnown: false, tried }, () =>
    makeAccount(headers, body),
  );
  if (answer.ok) await noteRightPassword({ action: 'sign-in', account: body.email, headers });
  return answer;
}

/**
 * Makes the account with its password at once. The sign-in library makes one after the other: what was
 * cut off in between was an account that nobody could sign in to, at an address that was taken.
 */
async function makeAccount(
  headers: Headers,
  { email, password, name = email }: z.output<typeof newAccount>,
): Promise<Response> {
  const input = createAccountInput.pick({ email: true }).safeParse({ email }).data;
  if (!input) return refusal(400, 'INVALID_EMAIL', 'Invalid email');
  requireLength(password);
  if (await accountIdOf(input.email)) return addressTaken();
  let accountId: string;
  try {
    accountId = await createAccount({ email: input.email, password, name });
  } catch (error) {
    if (error instanceof EmailTakenError) return addressTaken();
    throw error;
  }
  if (!(await keepIfAlone(accountId))) return signUpClosed();
  const made = { code: 'ACCOUNT_MADE', message: 'The account is made. Sign in to it.' };
  return beginSessionAfter(made, headers, { email, password });
}

/** @throws Refused where the password is shorter or longer than it may be */
export function requireLength(password: string): void {
  const { min, max } = passwordLimits;
  if (password.length < min) {
    const message = `A password has at least ${min} characters.`;
    throw new Refused(refusal(400, 'PASSWORD_TOO_SHORT', message));
  }
  if (password.length > max) {
    const message = `A password has at most ${max} characters.`;
    throw new Refused(refusal(400, 'PASSWORD_TOO_LONG', message));
  }
}

/** As `beginSession`; says what is done already where the session that is to follow it cannot begin. */
export async function beginSessionAfter(
  already: { code: string; message: string },
  headers: Headers,
  body: z.output<typeof credentials>,
): Promise<Response> {
  try {
    const answer = await beginSession(headers, body);
    if (answer.ok) return answer;
  } catch (error) {
    const failure = new ApiError('INTERNAL_ERROR', { cause: error });
    logFailure({ component: 'auth' }, failure, 'a session could not begin');
  }
  return refusal(422, already.code, already.message);
}

function addressTaken(): Response {
  return refusal(
    422,
    'USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL',
    'User already exists. Use another email.',
  );
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
