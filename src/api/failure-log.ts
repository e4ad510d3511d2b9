import { ZodError } from 'zod';
import { type ApiError, UnreadableBodyError } from './errors';

/** Of what was wrong with a request, how much is worth a line: a list may have any number. */
const maxIssues = 10;

/** Whether somebody who runs the service should look into it; not, where clients send too much. */
export function isOurFault(error: ApiError): boolean {
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
  if (code === 'VALIDATION_ERROR') return { code, invalid: [reasonOf(cause)] };
  if (code === 'INTERNAL_ERROR') return { code, err: cause };
  return { code };
}

function reasonOf(cause: Error | undefined): string {
  return cause?.message ?? 'unknown';
}
