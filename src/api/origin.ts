import { env } from '../env';

/**
 * Whether a browser sent the request from one of our own pages, or no browser sent it. A page of
 * another site can make a browser send a signed-in person's cookie along; this is what refuses it.
 * Scheme, host and port have to agree: a page of the same host without TLS is anybody's.
 * WHATWG Fetch (Origin), W3C Fetch Metadata (Sec-Fetch-Site).
 */
export function isOwnOrigin(headers: Headers): boolean {
  const site = headers.get('sec-fetch-site');
  if (site && site !== 'same-origin' && site !== 'none') return false;
  const origin = headers.get('origin');
  return origin === null || origin === ownOrigin(headers);
}

/** Whether the browser reaches the service behind https, directly or through a proxy. */
export function isBehindHttps(headers: Headers): boolean {
  return ownOrigin(headers)?.startsWith('https:') ?? false;
}

/**
 * Where the service is for browsers: PUBLIC_URL, and nothing else where it is set. Without it what
 * the request says; the front has left of the forwarded headers only what may be believed.
 */
function ownOrigin(headers: Headers): string | undefined {
  const publicUrl = env().PUBLIC_URL;
  if (publicUrl) return new URL(publicUrl).origin;
  // Schemes are the same in any letter case (RFC 3986, section 3.1).
  const proto = firstOf(headers, 'x-forwarded-proto')?.toLowerCase();
  const scheme = proto === 'https' ? 'https' : 'http';
  const host = firstOf(headers, 'x-forwarded-host') ?? headers.get('host');
  const address = `${scheme}://${host ?? ''}`;
  return URL.canParse(address) ? new URL(address).origin : undefined;
}

function firstOf(headers: Headers, name: string): string | undefined {
  return headers.get(name)?.split(',')[0]?.trim();
}
