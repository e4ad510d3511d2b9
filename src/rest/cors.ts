/** What browsers of other origins may send and read. WHATWG Fetch, section 3.2. */
import type { Route } from '../operations';
import { rateLimitHeaderNames } from '../rate-limit/headers';

type Headers = Record<string, string>;

export const anyOrigin = { 'Access-Control-Allow-Origin': '*' };

const exposedHeaders = [...rateLimitHeaderNames, 'Retry-After', 'X-Request-Id', 'ETag'].join(', ');

/** The headers of every answer of a path that is open to browsers. */
export const openHeaders = { ...anyOrigin, 'Access-Control-Expose-Headers': exposedHeaders };

/** Sets a header that few answers carry; only those expose it, so that no other answer changes. */
export function setExposed(headers: Headers, name: string, value: string): void {
  headers[name] = value;
  const exposed = headers['Access-Control-Expose-Headers'];
  if (exposed) headers['Access-Control-Expose-Headers'] = `${exposed}, ${name}`;
}

/** The headers of a preflight's answer that say what is allowed. */
export function preflightHeaders({ operations }: Route): Headers {
  return {
    'Access-Control-Allow-Methods': [...operations.keys()].join(', '),
    'Access-Control-Allow-Headers':
      'Authorization, Content-Type, If-None-Match, Idempotency-Key, Prefer',
    'Access-Control-Max-Age': '86400',
  };
}
