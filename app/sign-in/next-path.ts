import type { Mode } from '@/src/mode';

/** The request header by which a page is told its address from the path on. */
export const addressHeader = 'x-address';

/** In characters. It stands in an address itself, which is to fit into the head of a request. */
const longest = 4000;

/** Where to go after signing in: one of our own pages with its filters, whatever the address says. */
export function nextPath(value: unknown): string {
  const isOwnPage =
    typeof value === 'string' &&
    value.length <= longest &&
    /^\/[a-z0-9-]+(?:\/[a-z0-9-]+)*(?:\?[\w.~=&%+:,*-]*)?$/i.test(value);
  return isOwnPage && !value.startsWith('/api/') ? value : '/api-keys';
}

/** A path of ours as an address in this mode. One that names a mode stays as it is. */
export function inMode(path: string, mode: Mode): string {
  if (mode === 'live' || /[?&]mode=/.test(path)) return path;
  return `${path}${path.includes('?') ? '&' : '?'}mode=${mode}`;
}
