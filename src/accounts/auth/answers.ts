import type { z } from 'zod';
import type { ApiError } from '../../api/errors';
import type { Principal } from '../../api/principal';
import { secondsUntil } from '../../rate-limit/headers';
import { ownerPrincipal } from './session';
import { countTry, type Try } from './throttle';

/** What the endpoints for pages share: how they read, count and refuse. */

/** Ends a request with an answer, from wherever it is thrown. */
export class Refused extends Error {
  readonly answer: Response;

  constructor(answer: Response) {
    super(`Refused with ${answer.status}`);
    this.answer = answer;
  }
}

/** Done, with nothing to tell. */
export function done(): Response {
  return Response.json({});
}

/** For a person; `code` is for the page. */
export function refusal(status: number, code: string, message: string): Response {
  return Response.json({ code, message }, { status });
}

function invalid(): Response {
  return refusal(400, 'VALIDATION_ERROR', 'The request is not valid.');
}

/** For whoever comes while too much is under way. */
export function overloaded({ apiCode, message, status, retryAfterSeconds }: ApiError): Response {
  const answer = refusal(status, apiCode, message);
  if (retryAfterSeconds) answer.headers.set('Retry-After', String(retryAfterSeconds));
  return answer;
}

/** For whoever has no session, or none any more. */
export function signedOut(): Response {
  return refusal(401, 'UNAUTHORIZED', 'Sign in first.');
}

/**
 * What the endpoint takes of the body; the rest of it is dropped.
 * @throws Refused, with what `otherwise` makes, where it is not JSON or anything else
 */
export async function readBody<T>(
  request: Request,
  schema: z.ZodType<T>,
  otherwise = invalid,
): Promise<T> {
  const json: unknown = await request.json().catch(() => undefined);
  const { success, data } = schema.safeParse(json);
  if (!success) throw new Refused(otherwise());
  return data;
}

/** Counts a try. @throws Refused where there were too many */
export async function throttle(tried: Try): Promise<void> {
  const refused = await countTry(tried);
  if (!refused) return;
  const answer = refusal(
    429,
    'TOO_MANY_TRIES',
    'Too many tries. Wait a quarter of an hour and try again.',
  );
  answer.headers.set('Retry-After', String(secondsUntil(refused.retryAfterMs, 0)));
  throw new Refused(answer);
}

/** The person who is signed in. @throws Refused where nobody is, or not any more */
export async function signedIn({ headers }: Request): Promise<Principal> {
  const principal = await ownerPrincipal(headers);
  if (!principal) throw new Refused(signedOut());
  return principal;
}
