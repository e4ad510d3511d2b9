import { env } from '../env';

/**
 * Whether a browser sent the request from one of our own pages, or no browser sent it. A page of
 * another site can make a browser send a signed-in person's cookie along; this is what refuses it.
 * Compares hosts and not schemes, because a proxy may end TLS without saying so.
 * WHATWG Fetch (Origin), W3C Fetch Metadata (Sec-Fetch-Site).
 */
export function isOwnOrigin(headers: Headers): boolean {
  const site = headers.get('sec-fetch-site');
  if (site && site !== 'same-origin' && site !== 'none') return false;
  const origin = headers.get('origin');
  if (origin === null) return true;
  return URL.canParse(origin) && ownHosts(headers).includes(new URL(origin).host);
}

/** Whether the browser reaches the service behind https, directly or through a proxy. */
export function isBehindHttps(headers: Headers): boolean {
  const publicUrl = env().PUBLIC_URL;
  if (publicUrl) return publicUrl.startsWith('https:');
  return headers.get('x-forwarded-proto')?.split(',')[0]?.trim() === 'https';
}

function ownHosts(headers: Headers): (string | null)[] {
  const publicUrl = env().PUBLIC_URL;
  return [
    headers.get('host'),
    headers.get('x-forwarded-host'),
    publicUrl ? new URL(publicUrl).host : null,
  ];
}
