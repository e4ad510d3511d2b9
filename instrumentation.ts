import type { Instrumentation } from 'next';
import { toApiError } from './src/api/errors';
import { logFailure } from './src/api/failure-log';

/**
 * Says of a page that could not be made what the log says of any request that failed. `digest` is the
 * reference that the page shows. Next's own dozen lines of text are switched off by `npm start`.
 */
export const onRequestError: Instrumentation.onRequestError = (error, _request, { routePath }) => {
  logFailure({ page: routePath, digest: digestOf(error) }, toApiError(error), 'page failed');
};

/** Next writes it on what was thrown. */
function digestOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null ? Reflect.get(error, 'digest') : undefined;
}
