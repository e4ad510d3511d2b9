import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import { type Env, env } from '../env';

/** Besides X-Forwarded-For, which is kept as a chain: what anyone can send and a proxy may know. */
const claims = ['x-forwarded-host', 'x-forwarded-proto', 'x-forwarded-port', 'forwarded'];

/**
 * Leaves of the forwarded headers of a request what TRUSTED_PROXIES wrote, and adds the address of
 * the connection to X-Forwarded-For. For the front that has the socket: whatever stands behind it
 * may believe these headers.
 */
export function keepTrustedForwarding({
  headers,
  socket,
}: Pick<IncomingMessage, 'headers'> & { socket: { remoteAddress?: string } }): void {
  const address = socket.remoteAddress ?? '';
  const isTrusted = isTrustedProxy(address);
  const chain = isTrusted && headers['x-forwarded-for'];
  headers['x-forwarded-for'] = chain ? `${chain}, ${address}` : address;
  if (!isTrusted) for (const name of claims) delete headers[name];
}

/**
 * What to tell whoever starts the service behind a proxy that it does not know: nobody's address is
 * seen then but the proxy's. Undefined where all is well, or where there may be no proxy.
 */
export function unknownProxyWarning({
  PUBLIC_URL,
  TRUSTED_PROXIES,
}: Pick<Env, 'PUBLIC_URL' | 'TRUSTED_PROXIES'>): string | undefined {
  if (!PUBLIC_URL || TRUSTED_PROXIES) return undefined;
  return (
    'PUBLIC_URL is set and TRUSTED_PROXIES is not. If a proxy stands in front, tries to sign in ' +
    'are counted for all people together, and anybody can lock the others out: set ' +
    'TRUSTED_PROXIES to the addresses of the proxy.'
  );
}

/**
 * What to tell whoever starts the service behind proxies and does not name its address: what it cannot
 * take from a request is of this machine then. Undefined where all is well.
 */
export function unknownAddressWarning({
  PUBLIC_URL,
  TRUSTED_PROXIES,
}: Pick<Env, 'PUBLIC_URL' | 'TRUSTED_PROXIES'>): string | undefined {
  if (PUBLIC_URL || !TRUSTED_PROXIES) return undefined;
  return (
    'TRUSTED_PROXIES is set and PUBLIC_URL is not. The addresses of uploaded files begin with ' +
    'http://localhost then, which nobody reaches from elsewhere, unless a bucket has them: set ' +
    'PUBLIC_URL to the address at which people reach the service.'
  );
}

/** What stands in networks of one's own is never more: 10.0.0.0/8 and fc00::/7. */
const leastBits = { ipv4: 8, ipv6: 7 };

/**
 * What to tell whoever starts the service and trusts more addresses than can be proxies: strangers among
 * them are believed whatever address they write, and who writes none counts with all others as one.
 */
export function trustedStrangersWarning({
  TRUSTED_PROXIES = [],
}: Pick<Env, 'TRUSTED_PROXIES'>): string | undefined {
  const wide = TRUSTED_PROXIES.find((entry) => {
    if (!entry.includes('/')) return false;
    const [network, bits] = readNetwork(entry);
    return bits < leastBits[network.kind()];
  });
  if (wide === undefined) return undefined;
  return (
    `TRUSTED_PROXIES has ${wide}, and strangers are in it. Whoever comes from there is believed, ` +
    'whatever address it claims, and is bounded by none: name the addresses of the proxies alone.'
  );
}

/**
 * The address of whoever is in front of the proxies: the last one in X-Forwarded-For that none of
 * TRUSTED_PROXIES has. Where none is configured, a single address alone counts, which is what our
 * own front or a platform writes. Undefined where nothing is known.
 */
export function clientAddress(headers: Headers): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const chain = headers.get('x-forwarded-for')?.split(',') ?? [];
  if (!env().TRUSTED_PROXIES && chain.length > 1) return undefined;
  const last = chain.findLast((entry) => !isTrustedProxy(entry.trim()));
  return last === undefined ? undefined : parseAddress(last.trim());
}

/** Whether an address is one of TRUSTED_PROXIES. */
export function isTrustedProxy(address: string): boolean {
  const parsed = parseAddress(address);
  const trusted = env().TRUSTED_PROXIES;
  if (!parsed || !trusted) return false;
  return trusted.some((entry) => {
    const [network, bits] = readNetwork(entry);
    return network.kind() === parsed.kind() && parsed.match(network, bits);
  });
}

/**
 * Who counts as one. IPv4 by the whole address: the neighbours in a /24 are strangers, who could
 * lock each other out. IPv6 by its /64, the least that one customer is given.
 */
export function addressPrefix(address: ipaddr.IPv4 | ipaddr.IPv6 | undefined): string {
  return networkOf(address, 64);
}

/** Who may be one: as above, but of IPv6 the /48, the most that one customer is given. */
export function addressSite(address: ipaddr.IPv4 | ipaddr.IPv6 | undefined): string {
  return networkOf(address, 48);
}

function networkOf(address: ipaddr.IPv4 | ipaddr.IPv6 | undefined, bits: number): string {
  if (!address) return 'unknown';
  if (address instanceof ipaddr.IPv4) return address.toString();
  return ipaddr.IPv6.networkAddressFromCIDR(`${new ipaddr.IPv6(address.parts)}/${bits}`).toString();
}

/** The same for people to read: `203.0.113.7`, `2001:db8::/64`. Undefined where nothing is known. */
export function addressRange(headers: Headers): string | undefined {
  const address = clientAddress(headers);
  if (!address) return undefined;
  return address instanceof ipaddr.IPv4 ? address.toString() : `${addressPrefix(address)}/64`;
}

/** An address of TRUSTED_PROXIES, or a range; of IPv4 as of `parseAddress`, with which it is compared. */
function readNetwork(entry: string): [network: ipaddr.IPv4 | ipaddr.IPv6, bits: number] {
  const [network, bits] = ipaddr.parseCIDR(entry.includes('/') ? entry : wholeAddress(entry));
  const isMapped =
    network instanceof ipaddr.IPv6 && network.isIPv4MappedAddress() && bits >= mappedBits;
  return isMapped ? [network.toIPv4Address(), bits - mappedBits] : [network, bits];
}

/** What stands before IPv4 within IPv6. */
const mappedBits = 96;

function wholeAddress(address: string): string {
  return `${address}/${ipaddr.IPv6.isValid(address) ? 128 : 32}`;
}

/**
 * IPv4 within IPv6, as a socket of both kinds shows it, counts as IPv4. The port that some proxies
 * add in X-Forwarded-For is left out.
 */
export function parseAddress(entry: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const { v4, v6 } = addressWithPort.exec(entry)?.groups ?? {};
  const address = v4 ?? v6 ?? entry;
  return ipaddr.isValid(address) ? ipaddr.process(address) : undefined;
}

/** `203.0.113.7:49152`, `[2001:db8::7]:49152`; brackets may stand without a port. RFC 7239, section 6. */
const addressWithPort =
  /^(?:(?<v4>\d+(?:\.\d+){3}):\d{1,5}|\[(?<v6>[^\]]*:[^\]]*)\](?::\d{1,5})?)$/;
