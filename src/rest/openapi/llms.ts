import type { OpenAPIObject } from 'openapi3-ts/oas31';
import { walkStart } from '../../api/cursor';
import { neededScopes } from '../../api/scopes';
import { mountPath, routes } from '../../operations';

/**
 * The API in a page of Markdown, for programs that write clients of it: what it is, where the
 * document is, what there is to call, and how what is usually done is done well. In the form of
 * llmstxt.org.
 */
export function llmsText(document: OpenAPIObject): string {
  const [about = ''] = (document.info.description ?? '').split('\n');
  const mounted = document.servers?.[0]?.url ?? mountPath;
  const site = mounted.slice(0, -mountPath.length);
  return [
    `# ${document.info.title}`,
    `> ${about}`,
    `A JSON REST API at \`${mounted}\`. Send \`Authorization: Bearer sk_live_…\` with every request, from a server and never from a browser's code.`,
    section('Reference', [
      `[OpenAPI 3.1 document](${mounted}/openapi.json): every operation, schema, error and webhook; needs no key`,
      `[API reference](${site}/docs): the same, to read and to try out`,
    ]),
    section('Operations', operationLines(document, `${site}/docs`)),
    section('Recipes', recipes),
    '',
  ].join('\n\n');
}

function section(title: string, items: string[]): string {
  return [`## ${title}`, '', ...items.map((item) => `- ${item}`)].join('\n');
}

function operationLines({ paths }: OpenAPIObject, reference: string): string[] {
  return routes.flatMap(({ template, operations }) =>
    [...operations.values()].map(({ method, operationId, scope }) => {
      const summaries = Object.values(paths?.[template] ?? {});
      const summary = summaries.find((one) => one.operationId === operationId)?.summary ?? '';
      const scopes = neededScopes(scope).map((name) => `\`${name}\``);
      const needs = scopes.length === 0 ? 'any scope' : `scope ${scopes.join(' and ')}`;
      return `[${summary}](${reference}#${operationId}): \`${method} ${template}\`, ${needs}`;
    }),
  );
}

const recipes = [
  'Check a key: `GET /me` says whose it is, what it may do, and what is left of the rate limit.',
  `Read a whole list: \`GET /testimonials?limit=100&cursor=${walkStart}\`, then the same query with \`cursor\` set to \`pagination.next_cursor\` of each page, until that is null. No \`offset\` beside it. Nothing is skipped or repeated while rows come and go.`,
  'Keep an exact copy: take `pagination.next_cursor` of `GET /events?after=latest`, read all lists by cursor, then follow `GET /events?after=…&wait=20` from it, and keep the `next_cursor` of each page with what it changed.',
  'Try a POST or PATCH again safely: send an `Idempotency-Key`, the same one with each try.',
  'Ask again cheaply: keep the `ETag` of a list or a row, send it as `If-None-Match`, and take 304 for "nothing has changed".',
  'Find misspelt parameters and fields: send `Prefer: handling=strict`, and they are refused with 400 instead of ignored.',
  'See what was wrong with a request: a `VALIDATION_ERROR` names no field; the page "Requests" of the dashboard does, found by the `X-Request-Id` of the answer. Compare with the examples of the document first.',
  'Decide by `error.code`, and by the HTTP status where you do not know the code. On 429 wait for the seconds in `Retry-After`.',
  'Bring many at once: `POST /imports` takes 1,000 testimonials with their dates, each with an `external_id`, by which the same import sent again creates nothing; read the `result` of each item.',
  'Moderate many at once: `POST /testimonials/batch/update` takes 100 ids, and is one request of the limit.',
  'Be told of changes: `POST /webhook-endpoints` with a URL and event types, and keep the `secret` of the answer; `DELETE` it when you are done. Deliveries are signed as Standard Webhooks describes; verify the body as it came, answer 2xx within 15 seconds, and expect an event more than once.',
];
