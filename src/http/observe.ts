import type { IncomingMessage, ServerResponse } from 'node:http';
import { meter } from '../metrics/meter';
import { whenClosed } from '../rest/when-closed';

/** Groups of paths beside the REST API, the first that fits; all others are pages. */
const groups = [
  '/api/trpc',
  '/api/auth',
  '/api/account',
  '/api/cron',
  '/api/health',
  '/api',
  '/files',
  '/_next',
];

/** What a path that is no operation is counted as: one of a few words, whatever is asked for. */
export function groupOf(path: string): string {
  const group = groups.find((start) => path === start || path.startsWith(`${start}/`));
  return group ?? 'pages';
}

/** As nginx counts what was not answered: its client left, or did not send all of it in time. */
const unansweredStatus = 499;

/** Counts a request beside the REST API once its answer is out, or its client has left. */
export function observeOther(
  { method = 'GET', url = '/' }: IncomingMessage,
  response: ServerResponse,
): void {
  const counting = meter();
  if (!counting) return;
  const startedAt = performance.now();
  const [path = ''] = url.split('?', 1);
  whenClosed(response, () => {
    const seconds = (performance.now() - startedAt) / 1000;
    counting.request({ method, route: groupOf(path), status: statusOf(response), seconds });
  });
}

/** What nobody has answered stands at 200. */
function statusOf({ headersSent, statusCode }: ServerResponse): number {
  return headersSent || statusCode >= 400 ? statusCode : unansweredStatus;
}
