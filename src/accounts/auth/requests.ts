import { ApiError } from '../../api/errors';
import { logFailure } from '../../api/failure-log';
import { isOwnOrigin } from '../../api/origin';
import { overloaded, Refused, refusal } from './answers';
import {
  confirmNewEmail,
  deleteAccount,
  replacePassword,
  requestNewEmail,
  sendTestMail,
} from './owner-requests';
import { checkLink, requestPasswordReset, resetByLink } from './reset-requests';
import { signIn, signOut, signUp } from './sign-in-requests';

const authPath = '/api/auth';

/** All that pages need. What else better-auth offers is out of reach, whatever it will come to. */
const endpoints = new Map<string, (request: Request) => Promise<Response>>([
  ['/sign-in/email', signIn],
  ['/sign-up/email', signUp],
  ['/sign-out', signOut],
  ['/change-password', replacePassword],
  ['/request-password-reset', requestPasswordReset],
  ['/check-link', checkLink],
  ['/reset-password', resetByLink],
  ['/change-email', requestNewEmail],
  ['/confirm-email', confirmNewEmail],
  ['/delete-account', deleteAccount],
  ['/send-test-mail', sendTestMail],
]);

/**
 * One request of a page to sign in or out, or about the account itself. Errors have the form
 * `{ code, message }`. Never throws.
 */
export async function handleAuthRequest(request: Request): Promise<Response> {
  const answer = await answerTo(request);
  answer.headers.set('Cache-Control', 'no-store');
  return answer;
}

async function answerTo(request: Request): Promise<Response> {
  const path = new URL(request.url).pathname.slice(authPath.length);
  const endpoint = request.method === 'POST' ? endpoints.get(path) : undefined;
  if (!endpoint) return refusal(404, 'INVALID_ENDPOINT', 'There is no such endpoint.');
  if (!isOwnOrigin(request.headers)) {
    return refusal(
      403,
      'INVALID_ORIGIN',
      'This page is not at the address that the service knows as its own. Whoever runs it should set PUBLIC_URL.',
    );
  }
  try {
    return await endpoint(request);
  } catch (error) {
    if (error instanceof Refused) return error.answer;
    const isOverloaded = error instanceof ApiError && error.apiCode === 'OVERLOADED';
    const failure = isOverloaded ? error : new ApiError('INTERNAL_ERROR', { cause: error });
    logFailure({ component: 'auth', path }, failure, 'request failed');
    if (isOverloaded) return overloaded(failure);
    return refusal(500, 'INTERNAL_ERROR', 'The request could not be processed.');
  }
}
