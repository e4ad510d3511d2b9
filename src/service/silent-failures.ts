import { toApiError } from '../api/errors';
import { logFailure } from '../api/failure-log';
import type { Handler } from '../http/front';

const reason =
  'Next gave up and did not say why. Where packages or the build were replaced under the service, it ' +
  'cannot load its pages: start it anew.';

/**
 * Writes the log's line where Next answers by three words of plain text: it cannot even load its page for
 * errors. Quiet, it says nothing of that itself, and `instrumentation.ts` is seldom told.
 */
export function withLoggedFailures(handle: Handler): Handler {
  return async (request, response) => {
    await handle(request, response);
    const type = response.getHeader('content-type');
    if (response.statusCode !== 500 || (type !== undefined && type !== 'text/plain')) return;
    const [page] = (request.url ?? '').split('?', 1);
    logFailure({ page }, toApiError(new Error(reason)), 'page failed');
  };
}
