import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { answerHealth, answerLive, answerReady } from '../database/health';
import type { FrontOptions, Handler } from '../http/front';
import { filesPath, serveFile } from '../storage/serve';

/** As `next.config.mjs` gives them to what answers data beside the REST API. */
export const dataHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=()',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
};

const health = new Map<string, Handler>([
  ['/api/health', answeredBy(() => answerHealth(), dataHeaders)],
  ['/api/health/live', answeredBy(answerLive, dataHeaders)],
  ['/api/health/ready', answeredBy(() => answerReady(), dataHeaders)],
]);

const file = answeredBy(serveFile);

/**
 * What a long-lived process answers past Next, by the same functions as the routes. Who asks how the
 * service is asks every few seconds, and for ever: a route of Next would switch on Next's stores,
 * which before Node 24 cost every promise of the process from then on, a seventh of a list; so a
 * process that serves the API alone leaves Next at rest. And Next leaves out how long a file is.
 */
export const besideNext: FrontOptions['besideNext'] = ({ method, path }) => {
  if (path.startsWith(filesPath)) return file;
  return method === 'GET' || method === 'HEAD' ? health.get(path) : undefined;
};

/** A handler of web standards for a socket. It is given no body. */
function answeredBy(
  answer: (request: Request) => Response | Promise<Response>,
  more: Record<string, string> = {},
): Handler {
  return async (request, response) => {
    const answered = await answer(asWebRequest(request));
    response.writeHead(answered.status, { ...more, ...Object.fromEntries(answered.headers) });
    if (!request.complete) request.resume();
    if (!answered.body) return void response.end();
    // Where it fails the connection is cut, so that nobody takes a part for the whole.
    await pipeline(answered.body, response).catch(() => {});
  };
}

function asWebRequest({ method, url, headers }: IncomingMessage): Request {
  const sent = Object.entries(headers).map(([name, value]): [string, string] => [
    name,
    String(value),
  ]);
  return new Request(`http://localhost${url}`, { method: method ?? 'GET', headers: sent });
}
