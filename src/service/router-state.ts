import { parseAndValidateFlightRouterState } from 'next/dist/server/app-render/parse-and-validate-flight-router-state';
import type { Handler } from '../http/front';

const stateHeader = 'next-router-state-tree';

/**
 * Hands requests on to Next without what an open page says that it has, where Next cannot read that, as of
 * a tab with another version of it: to anybody who sent such a thing it answered 500, and printed a line
 * beside the log. Without it, it answers as to a page that has nothing.
 */
export function withReadableState(handle: Handler): Handler {
  return (request, response) => {
    if (!isReadable(request.headers[stateHeader])) delete request.headers[stateHeader];
    return handle(request, response);
  };
}

function isReadable(state: string | string[] | undefined): boolean {
  try {
    parseAndValidateFlightRouterState(state);
    return true;
  } catch {
    return false;
  }
}
