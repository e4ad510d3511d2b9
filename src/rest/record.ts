import type { ApiError } from '../api/errors';
import { logFailure } from '../api/failure-log';
import { env } from '../env';
import { log } from '../logging/log';
import { meter } from '../metrics/meter';
import { mountPath, type Route } from '../operations';
import { describeSent } from '../requests/detail';
import { maskedPath, noFields } from '../requests/masking';
import { requestLog } from '../requests/request-log';

/** Whose key a request carried, also where the key was refused. */
export type Caller = { accountId: string; keyId: string };

/** A request that is answered, as far as it is written down. */
type Answered = {
  requestId: string;
  /** Milliseconds of `Date.now()`. */
  receivedAt: number;
  durationMs: number;
  method: string;
  path: string;
  search: string;
  route: Route | undefined;
  caller: Caller | undefined;
  /** Whether the key was accepted. */
  isAuthenticated: boolean;
  /** Whether it has taken one of the account's limit: what has not is bounded by nothing else. */
  tookOfLimit: boolean;
  /** As it was parsed; undefined where none was read. */
  body: unknown;
  status: number;
  error: ApiError | undefined;
};

/** All paths that are none of ours are counted as one. */
const unknownRoute = `${mountPath}/…`;

/** Writes the log line of a request, and counts it. */
export function logAnswered(answered: Answered): void {
  const { requestId, method, route, status, durationMs, caller, isAuthenticated, error } = answered;
  const line = {
    requestId,
    method,
    route: route?.template,
    status,
    durationMs: Math.round(durationMs * 10) / 10,
    accountId: isAuthenticated ? caller?.accountId : undefined,
    keyId: isAuthenticated ? caller?.keyId : undefined,
  };
  if (error) logFailure(line, error, 'request');
  else log().info(line, 'request');
  meter()?.request({
    method,
    route: route ? mountPath + route.template : unknownRoute,
    status,
    seconds: durationMs / 1000,
  });
}

/**
 * Notes a request for its account's people, who read it in the dashboard; one without a key that we
 * know is nobody's. Returns what is still to be done after the answer, where the process does not do
 * it by itself.
 */
export function noteAnswered(answered: Answered): (() => Promise<void>) | undefined {
  const { caller, method, route, path, search, body, status, error } = answered;
  if (!caller || env().REQUEST_LOG === 'off') return undefined;
  const operation = route?.operations.get(method === 'HEAD' ? 'GET' : method);
  const fields = operation ?? noFields;
  const parameters = operation?.takesBody ? noFields : fields;
  const requests = requestLog();
  const entry = {
    id: answered.requestId,
    accountId: caller.accountId,
    receivedAt: answered.receivedAt,
    status,
    count: 1,
    request: {
      keyId: caller.keyId,
      method,
      route: route?.template,
      path: maskedPath(path, route?.template),
      durationMs: answered.durationMs,
      code: error?.apiCode,
      detail: describeSent({ search, parameters, body, fields, error }),
    },
  };
  requests.add(entry, !answered.tookOfLimit);
  return requests.isStarted() ? undefined : requests.flush;
}
