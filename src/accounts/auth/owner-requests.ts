import { z } from 'zod';
import { email, text } from '../../api/fields';
import type { Principal } from '../../api/principal';
import { mailSettings } from '../../mail/settings';
import { EmailTakenError, getAccount } from '../accounts';
import { closeAccount } from '../closing';
import { changeEmail, confirmEmail, requestEmailChange } from '../email';
import { queueTestMail } from '../mails';
import { changePassword, digestIfRight } from '../password';
import { done, readBody, refusal, signedIn, signedOut, throttle } from './answers';
import { auth } from './auth';
import { inHashingTurn } from './hashing-turns';
import { linkExpired, linkToken, noMails } from './reset-requests';
import { beginSessionAfter, requireLength, typedPassword } from './sign-in-requests';
import { noteRightPassword, type Try } from './throttle';

/** What the owner of an account does with the account itself; most of it asks for the password. */

const newEmail = z.object({
  newEmail: email.toLowerCase(),
  password: typedPassword,
});
const confirmation = z.object({ token: linkToken });
const passwords = z.object({ currentPassword: typedPassword, newPassword: typedPassword });
const farewell = z.object({ email: text(1, 320), password: typedPassword });

const notAnEmail = () => refusal(400, 'INVALID_EMAIL', 'This is not an e-mail address.');

/** Whoever knew the old password is signed out with it, whatever the page asked for. */
export async function replacePassword(request: Request): Promise<Response> {
  const body = await readBody(request, passwords);
  const { newPassword } = body;
  return withPassword(request, body.currentPassword, async ({ accountId }, digest) => {
    requireLength(newPassword);
    const { email } = await getAccount(accountId);
    if (!(await changePassword(accountId, digest, newPassword))) return signedOut();
    const changed = {
      code: 'PASSWORD_CHANGED',
      message: 'The password is changed. Sign in with it.',
    };
    return beginSessionAfter(changed, request.headers, { email, password: newPassword });
  });
}

/** Answers `{ isConfirmed }`: false where the address changes only once a mail's link is used. */
export async function requestNewEmail(request: Request): Promise<Response> {
  const body = await readBody(request, newEmail, notAnEmail);
  const { headers } = request;
  return withPassword(request, body.password, async ({ accountId }) => {
    if (mailSettings()) {
      // Whoever reads mails there may not have asked for any, from this account or others.
      for (const account of [accountId, body.newEmail]) {
        await throttle({ action: 'change-email', account, headers });
      }
      await requestEmailChange(accountId, body.newEmail);
      return Response.json({ isConfirmed: false });
    }
    return unlessTaken(async () => {
      await changeEmail(accountId, body.newEmail);
      return Response.json({ isConfirmed: true });
    });
  });
}

/** By the link in a mail. Needs no session: a mail may be read in another browser. */
export async function confirmNewEmail(request: Request): Promise<Response> {
  const body = await readBody(request, confirmation);
  await throttle({ action: 'use-link', headers: request.headers });
  return unlessTaken(async () => ((await confirmEmail(body.token)) ? done() : linkExpired()));
}

/** Closes the account for good, once its address and password were typed. */
export async function deleteAccount(request: Request): Promise<Response> {
  const body = await readBody(request, farewell);
  return withPassword(request, body.password, async ({ accountId }) => {
    const { email } = await getAccount(accountId);
    if (body.email.trim().toLowerCase() !== email) {
      return refusal(422, 'OTHER_EMAIL', 'This is not the address of the account.');
    }
    // Its sessions end with it, and not before: where it cannot be closed, the page can ask again.
    await closeAccount(accountId);
    const { headers } = request;
    // Takes the cookie back.
    return auth(headers).api.signOut({ headers, asResponse: true });
  });
}

/** Queues a mail to the account's own address. */
export async function sendTestMail(request: Request): Promise<Response> {
  const { accountId } = await signedIn(request);
  if (!mailSettings()) return noMails();
  await throttle({ action: 'test-mail', account: accountId, headers: request.headers });
  if (await queueTestMail(accountId)) return done();
  return refusal(422, 'ENOUGH_TODAY', 'That was enough for a day. Try again in 24 hours.');
}

/**
 * Calls `run` for who is signed in and knows the password, with its digest; tries are counted as for a
 * new one.
 */
async function withPassword(
  request: Request,
  password: string,
  run: (principal: Principal, digest: string) => Promise<Response>,
): Promise<Response> {
  const principal = await signedIn(request);
  const { accountId } = principal;
  const tried: Try = { action: 'change-password', account: accountId, headers: request.headers };
  await throttle(tried);
  return inHashingTurn({ request, isKnown: true, tried }, async () => {
    const digest = await digestIfRight(accountId, password);
    if (digest === undefined) return refusal(400, 'INVALID_PASSWORD', 'The password is not right.');
    // Whoever replaced the password while it was compared has ended the session.
    await signedIn(request);
    await noteRightPassword(tried);
    return run(principal, digest);
  });
}

async function unlessTaken(run: () => Promise<Response>): Promise<Response> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof EmailTakenError)) throw error;
    return refusal(422, 'USER_ALREADY_EXISTS', 'There is already an account for this address.');
  }
}
