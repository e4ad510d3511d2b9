import { passwordLimits } from '../../accounts/limits';
import type { LinkPurpose } from '../../accounts/schema';
import { unanswered } from '../calls/failure-words';
import { callSignIn, type Outcome } from './call-sign-in';

export function signIn(input: { email: string; password: string }): Promise<Outcome> {
  return begin('/sign-in/email', input);
}

/** Signs the new account in as well. */
export function signUp(input: { email: string; password: string }): Promise<Outcome> {
  return begin(
    '/sign-up/email',
    input,
    'No answer came from the service, so the account may be made already. Try again; if the address is then said to have one, or sign-up to be closed, sign in.',
  );
}

/** Signs every other browser out. */
export function changePassword(input: {
  currentPassword: string;
  newPassword: string;
}): Promise<Outcome> {
  return post(
    '/change-password',
    input,
    'No answer came from the service, so the password may be changed already. Try again; if you are then asked to sign in, or the current one is said not to be right, use the new one.',
  );
}

/** Has a link mailed, if the address has an account: the answer does not tell. */
export function requestPasswordReset(input: { email: string }): Promise<Outcome> {
  return post('/request-password-reset', input);
}

/** A problem where the link is good for nothing any more. */
export function checkLink(input: { token: string; purpose: LinkPurpose }): Promise<Outcome> {
  return post('/check-link', input);
}

/** Signs every browser out, and with `switchOffAll` switches every key and endpoint off. */
export function resetPassword(input: {
  token: string;
  newPassword: string;
  switchOffAll: boolean;
}): Promise<Outcome> {
  return post(
    '/reset-password',
    input,
    'No answer came from the service, so the password may be set already. Try again; if the link is then said to be used, sign in with the new password.',
  );
}

/** The answer's data says whether the address is changed, or a mail has to be answered first. */
export function changeEmail(input: { newEmail: string; password: string }): Promise<Outcome> {
  return post('/change-email', input, unanswered);
}

export function confirmEmail(input: { token: string }): Promise<Outcome> {
  return post(
    '/confirm-email',
    input,
    'No answer came from the service, so the address may be confirmed already. Try again; if the link is then said to be used, sign in with the new address.',
  );
}

export function deleteAccount(input: { email: string; password: string }): Promise<Outcome> {
  return post(
    '/delete-account',
    input,
    'No answer came from the service, so the account may be deleted already. Try again; if you are then asked to sign in and cannot, it is.',
  );
}

export function sendTestMail(): Promise<Outcome> {
  return post('/send-test-mail', {});
}

/** Where a browser refuses cookies, what begins a session would lead back to its form without a word. */
async function begin(path: string, body: unknown, ifSent?: string): Promise<Outcome> {
  if (navigator.cookieEnabled) return post(path, body, ifSent);
  return {
    problem:
      'Your browser keeps no cookies of this site, and without them nobody stays signed in. Allow them and try again.',
  };
}

/** The problem where somebody is to sign in instead. */
export const addressTaken = 'There is already an account for this address.';

const problems: Record<string, string> = {
  INVALID_EMAIL_OR_PASSWORD: 'The e-mail address or the password is not right.',
  INVALID_PASSWORD: 'The current password is not right.',
  INVALID_EMAIL: 'This is not an e-mail address.',
  PASSWORD_TOO_SHORT: `The password must have at least ${passwordLimits.min} characters.`,
  PASSWORD_TOO_LONG: `The password must have at most ${passwordLimits.max} characters.`,
  USER_ALREADY_EXISTS: addressTaken,
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: addressTaken,
};

/** `ifSent` is the problem where it was sent, and nobody knows whether it was done. */
const post = (path: string, body: unknown, ifSent?: string): Promise<Outcome> =>
  callSignIn(path, body, { ifSent, problems });
