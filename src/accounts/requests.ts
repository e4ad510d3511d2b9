import { z } from 'zod';
import { text } from '../api/fields';
import { isOwnOrigin } from '../api/origin';
import { log } from '../log';
import { auth, isSignUpOpen } from './auth';
import { sessionPrincipal } from './session';
import { countTry, forgetTries, type Try } from './throttle';

const authPath = '/api/auth';

/** All that pages need. What else better-auth offers is out of reach, whatever it will come to. */
const endpoints = new Map<string, (request: Request) => Promise<Response>>([
  ['/sign-in/email', signIn],
  ['/sign-up/email', signUp],
  ['/sign-out', signOut],
  ['/change-password', changePassword],
]);

/**
 * One request of a page to sign in, sign up, sign out or change the password. Errors have the form
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
    log().error({ component: 'auth', path, err: error }, 'request failed');
    return refusal(500, 'INTERNAL_ERROR', 'The request could not be processed.');
  }
}

const password = z.string().min(1).max(1000);
const credentials = z.object({ email: text(1, 320), password });
const newAccount = credentials.extend({ name: text(1, 100).optional() });
const passwords = z.object({ currentPassword: password, newPassword: password });

async function signIn(request: Request): Promise<Response> {
  const { headers } = request;
  const body = await readBody(request, credentials);
  if (!body) return invalid();
  const tried: Try = { action: 'sign-in', account: body.email, headers };
  const refused = await throttle(tried);
  if (refused) return refused;
  const answer = await auth(headers).api.signInEmail({ body, headers, asResponse: true });
  if (answer.ok) await forgetTries(tried);
  return answer;
}

async function signUp(request: Request): Promise<Response> {
  const { headers } = request;
  const body = await readBody(request, newAccount);
  if (!body) return invalid();
  const refused = await throttle({ action: 'sign-up', headers });
  if (refused) return refused;
  // Before anybody looks whether the address is known.
  if (!(await isSignUpOpen())) {
    return refusal(403, 'SIGN_UP_CLOSED', 'Sign-up is closed. Ask whoever runs the service.');
  }
  return auth(headers).api.signUpEmail({
    body: { ...body, name: body.name ?? body.email },
    headers,
    asResponse: true,
  });
}

function signOut({ headers }: Request): Promise<Response> {
  return auth(headers).api.signOut({ headers, asResponse: true });
}

/** Whoever knew the old password is signed out with it, whatever the page asked for. */
async function changePassword(request: Request): Promise<Response> {
  const { headers } = request;
  const body = await readBody(request, passwords);
  if (!body) return invalid();
  const principal = await sessionPrincipal(headers);
  if (!principal) return refusal(401, 'UNAUTHORIZED', 'Sign in first.');
  const tried: Try = { action: 'change-password', account: principal.accountId, headers };
  const refused = await throttle(tried);
  if (refused) return refused;
  const answer = await auth(headers).api.changePassword({
    body: { ...body, revokeOtherSessions: true },
    headers,
    asResponse: true,
  });
  if (answer.ok) await forgetTries(tried);
  return answer;
}

async function throttle(tried: Try): Promise<Response | null> {
  const now = Date.now();
  const refused = await countTry(tried, now);
  if (!refused) return null;
  const answer = refusal(
    429,
    'TOO_MANY_TRIES',
    'Too many tries. Wait a quarter of an hour and try again.',
  );
  const seconds = Math.max(1, Math.ceil((refused.retryAtMs - now) / 1000));
  answer.headers.set('Retry-After', String(seconds));
  return answer;
}

/** Undefined where the body is not JSON, or not what the endpoint takes; the rest of it is dropped. */
async function readBody<T>(request: Request, schema: z.ZodType<T>): Promise<T | undefined> {
  const json: unknown = await request.json().catch(() => undefined);
  return schema.safeParse(json).data;
}

function invalid(): Response {
  return refusal(400, 'VALIDATION_ERROR', 'The request is not valid.');
}

function refusal(status: number, code: string, message: string): Response {
  return Response.json({ code, message }, { status });
}
