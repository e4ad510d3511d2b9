import type { z } from 'zod';
import type { ApiError } from '../../api/errors';
import type { Principal } from '../../api/principal';
import { secondsUntil } from '../../rate-limit/headers';
import { ownerPrincipal } from './session';
import { countTry, type Try } from './throttle';

/** What the endpoints for pages share: how they read, count and refuse. */

/** Done, with nothing to tell. */
export function done(): Response {
  return Response.json({});
}

/** For a person; `code` is for the page. */
export function refusal(status: number, code: string, message: string): Response {
  return Response.json({ code, message }, { status });
}

export function invalid(): Response {
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

/** Undefined where the body is not JSON, or not what the endpoint takes; the rest of it is dropped. */
export async function readBody<T>(request: Request, schema: z.ZodType<T>): Promise<T | undefined> {
  const json: unknown = await request.json().catch(() => undefined);
  return schema.safeParse(json).data;
}

/** Counts a try. The answer where there were too many, else null. */
export async function throttle(tried: Try): Promise<Response | null> {
  const refused = await countTry(tried);
  if (!refused) return null;
  const answer = refusal(
    429,
    'TOO_MANY_TRIES',
    'Too many tries. Wait a quarter of an hour and try again.',
  );
  answer.headers.set('Retry-After', String(secondsUntil(refused.retryAfterMs, 0)));
  return answer;
}

/** Calls `run` for the person who is signed in; nobody else is. */
export async function asSignedIn(
  { headers }: Request,
  run: (principal: Principal) => Promise<Response>,
): Promise<Response> {
  const principal = await ownerPrincipal(headers);
  return principal ? run(principal) : signedOut();
}
