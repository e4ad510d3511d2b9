import { LRUCache } from 'lru-cache';
import { ZodError } from 'zod';
import { createLastingFailure, type LastingFailure } from '../logging/lasting-failure';
import { log } from '../logging/log';
import { singleton } from '../singleton';
import { type ApiError, UnreadableBodyError } from './errors';

/** Of what was wrong with a request, how much is worth a line: a list may have any number. */
const maxIssues = 10;

/** Of an error's name and message. */
const maxKeyLength = 500;

/** How often the same failure is told whole. */
const wholeEveryMs = 1_000;

/** Failures that are known to be the same; of more, those that came longest ago are told whole again. */
const maxFailures = 100;

/**
 * Writes the line of a request that failed. Where it is our fault, as an error, with its cause; but of
 * those that fail alike, as while the database is away, one in a second, with how many there were since
 * the last. The others are lines as requests have that succeed, by whose id one finds when it was.
 */
export function logFailure(line: Record<string, unknown>, error: ApiError, message: string): void {
  const isOurs = isOurFault(error);
  const times = isOurs ? timesToTell(error.cause) : 1;
  const failure = times === undefined ? { code: error.apiCode } : describeFailure(error);
  if (!isOurs || times === undefined) log().info({ ...line, ...failure }, message);
  else log().error({ ...line, ...failure, ...(times > 1 && { times }) }, message);
}

function timesToTell(cause: unknown): number | undefined {
  const failures = singleton(
    'failures',
    () => new LRUCache<string, LastingFailure>({ max: maxFailures }),
  );
  const key = String(cause).slice(0, maxKeyLength);
  const failure = failures.get(key) ?? createLastingFailure({ repeatMs: wholeEveryMs });
  failures.set(key, failure);
  return failure.add();
}

/** Whether somebody who runs the service should look into it; not, where clients send too much. */
function isOurFault(error: ApiError): boolean {
  if (error.apiCode === 'OVERLOADED') return false;
  return error.status >= 500 && !(error.cause instanceof UnreadableBodyError);
}

/**
 * What the log keeps of a failed request: the code, and the cause that the client is not told.
 * Of a validation failure the paths and rules, never the values, which are people's data.
 */
export function describeFailure(error: ApiError): Record<string, unknown> {
  const { apiCode: code, cause } = error;
  if (cause instanceof ZodError) {
    const { issues } = cause;
    const invalid = issues
      .slice(0, maxIssues)
      .map((issue) => `${issue.path.join('.') || '(body)'}: ${issue.code}`);
    return { code, invalid, ...(issues.length > maxIssues && { issues: issues.length }) };
  }
  if (cause instanceof UnreadableBodyError) return { code, invalid: [cause.message] };
  if (code === 'VALIDATION_ERROR') return { code, invalid: [cause?.message ?? 'unknown'] };
  if (code === 'INTERNAL_ERROR') return { code, err: cause };
  // Of a lock, or of a limit that somebody has set: the database's words tell.
  if (code === 'OVERLOADED' && cause) return { code, reason: cause.message };
  return { code };
}
