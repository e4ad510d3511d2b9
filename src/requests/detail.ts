import { type ApiError, errorTable } from '../api/errors';
import { requestLogLimits } from './limits';
import { type KnownFields, maskedBody, maskedQuery } from './masking';
import { problemsOf } from './problems';
import type { Detail } from './schema';

/** What was sent, and what came of it. */
type Sent = {
  search: string;
  /** Of the query. */
  parameters: KnownFields;
  /** As it was parsed; undefined where none was. */
  body: unknown;
  /** Of the body. */
  fields: KnownFields;
  error: ApiError | undefined;
};

/** As it is stored, masked and bounded; undefined where there is nothing to say. */
export function describeSent({
  search,
  parameters,
  body,
  fields,
  error,
}: Sent): string | undefined {
  if (search.length <= 1 && !error) return undefined;
  const { problems, more } = error ? problemsOf(error) : { problems: [], more: 0 };
  const described: Detail = {
    ...(search.length > 1 && { query: maskedQuery(search, parameters) }),
    // Of what succeeded nobody asks what it was.
    ...(error && body !== undefined && { body: maskedBody(body, fields) }),
    ...(problems.length > 0 && { problems }),
    ...(more > 0 && { more_problems: more }),
    ...(error && error.message !== errorTable[error.apiCode].message && { message: error.message }),
  };
  const text = JSON.stringify(described);
  if (text === '{}') return undefined;
  if (text.length <= requestLogLimits.detail) return text;
  // What was wrong matters most.
  const { query: _, body: __, ...rest } = described;
  return JSON.stringify({ ...rest, is_cut: true });
}
