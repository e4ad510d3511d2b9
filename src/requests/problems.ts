import { ZodError } from 'zod';
import { type ApiError, UnreadableBodyError } from '../api/errors';
import { requestLogLimits } from './limits';
import { shownName } from './masking';
import type { Problem } from './schema';

type Issue = ZodError['issues'][number];

/**
 * What was wrong with a request, by field and rule, never by value. Of more than are worth a row, the
 * first, and how many there are beside them. None for an error whose code says it all.
 */
export function problemsOf(error: ApiError): { problems: Problem[]; more: number } {
  const { apiCode, cause } = error;
  if (cause instanceof ZodError) {
    const problems = cause.issues.slice(0, requestLogLimits.problems).map(problemOf);
    return { problems, more: cause.issues.length - problems.length };
  }
  const hasReason = apiCode === 'VALIDATION_ERROR' || cause instanceof UnreadableBodyError;
  return {
    problems: hasReason && cause ? [{ path: '', message: cut(cause.message) }] : [],
    more: 0,
  };
}

function problemOf(issue: Issue): Problem {
  const path = issue.path.map((step) =>
    typeof step === 'number' ? String(step) : (shownName(String(step)) ?? '…'),
  );
  return { path: path.join('.'), message: cut(messageOf(issue)) };
}

function messageOf({ code, message }: Issue): string {
  // The only message that quotes what was sent.
  if (code === 'unrecognized_keys') return 'Unknown fields';
  return message.replace(
    /^Invalid input: expected (.*), received undefined$/,
    'Missing: expected $1',
  );
}

function cut(message: string): string {
  const { problem } = requestLogLimits;
  return message.length <= problem ? message : `${message.slice(0, problem)}…`;
}
