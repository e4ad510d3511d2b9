import { answerHealth, answerLive, answerReady } from '../database/health';
import type { FrontOptions } from '../http/front';

/** As `next.config.mjs` gives them to what answers data beside the REST API. */
export const dataHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=()',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
};

const answers: [path: string, answer: () => Response | Promise<Response>][] = [
  ['/api/health', () => answerHealth()],
  ['/api/health/live', answerLive],
  ['/api/health/ready', () => answerReady()],
];

/**
 * What asks how the service is asks every few seconds, and for ever. Answered by a route of Next it
 * would switch on Next's stores, which before Node 24 cost every promise of the process from then on,
 * a seventh of a list; so a process that serves the API alone leaves Next at rest.
 */
export const healthReads: FrontOptions['reads'] = new Map(
  answers.map(([path, answer]) => [
    path,
    async (_request, response) => {
      const answered = await answer();
      const headers = { ...dataHeaders, ...Object.fromEntries(answered.headers) };
      response.writeHead(answered.status, headers);
      response.end(await answered.text());
    },
  ]),
);
