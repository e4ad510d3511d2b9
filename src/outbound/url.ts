import { isIP } from 'node:net';
import { hasEndlessHostName } from '../urls/host-name';
import { isPublicAddress, type Resolve } from './address';

/** WHATWG Fetch, "Port blocking": what `fetch` refuses, lest HTTP be spoken to another protocol. */
const blockedPorts = new Set([
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102,
  103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465,
  512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993,
  995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668,
  6669, 6679, 6697, 10080,
]);

/** A URL that a request may not be sent to; the message says why, and is fit for a client. */
export class RefusedUrlError extends Error {
  override name = 'RefusedUrlError';
}

/**
 * Reads a URL that a person gave us, and refuses what its text alone rules out. `allowPrivate` lets
 * plain http and private addresses pass, for development and tests; `allowHttp` only the former.
 * @throws RefusedUrlError
 */
export function readUrl(
  text: string,
  { allowPrivate, allowHttp = allowPrivate }: { allowPrivate: boolean; allowHttp?: boolean },
): URL {
  const isReadable = !hasEndlessHostName(text) && URL.canParse(text);
  const url = isReadable ? new URL(text) : undefined;
  if (!url) throw new RefusedUrlError('The URL is not a valid absolute URL.');
  if (url.protocol !== 'https:' && !(allowHttp && url.protocol === 'http:')) {
    throw new RefusedUrlError(`The URL must begin with https://${allowHttp ? ' or http://' : ''}.`);
  }
  if (url.username || url.password) {
    throw new RefusedUrlError('The URL must not contain a user name or password.');
  }
  if (url.port === '0' || blockedPorts.has(Number(url.port))) {
    throw new RefusedUrlError(`The URL's port ${url.port} is reserved for another protocol.`);
  }
  const address = hostOf(url);
  if (!allowPrivate && isIP(address) && !isPublicAddress(address)) throw refusedAddress();
  // One dot at the end is the root of the names; with more, no name is left between the last two.
  if (address.includes('..')) throw new RefusedUrlError('The URL has no valid host name.');
  return url;
}

/**
 * Refuses a URL whose host resolves to a private address now. A name that does not resolve passes:
 * it is asked again at every connection, which is where the guard stands.
 * @throws RefusedUrlError
 */
export async function refusePrivateHost(url: URL, resolve: Resolve): Promise<void> {
  const host = hostOf(url);
  const addresses = isIP(host) ? [host] : await resolve(host).catch(() => []);
  if (!addresses.every(isPublicAddress)) throw refusedAddress();
}

/** The host without the brackets of IPv6. */
function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1');
}

/** Does not tell the address: that would let strangers read the names of our network. */
function refusedAddress(): RefusedUrlError {
  return new RefusedUrlError('The URL leads to an address that is not on the public internet.');
}
