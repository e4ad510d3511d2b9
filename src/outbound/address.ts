import { promises as dns, lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Addresses that look public and are not: Azure's metadata and DNS service. */
export const deniedAddresses = ['168.63.129.16'];

/** Whether an address is reachable over the public internet, by its form. */
export function isPublicAddress(address: string): boolean {
  return ipaddr.parse(address).range() === 'unicast' && !deniedAddresses.includes(address);
}

export type Resolve = (host: string) => Promise<string[]>;

const resolver = new dns.Resolver({ timeout: 2000, tries: 2 });

/**
 * The addresses of a host name by DNS, v4 first. Not by the system's resolver: that one works in
 * four threads, which the whole process shares, and a slow name server would hold them all.
 * @throws Error with code ENOTFOUND and the like
 */
export async function resolveByDns(host: string): Promise<string[]> {
  // RFC 6761: never asked of a name server.
  if (/(?:^|\.)localhost\.?$/i.test(host)) return ['127.0.0.1', '::1'];
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const addresses = [v4, v6].flatMap((found) => (found.status === 'fulfilled' ? found.value : []));
  if (addresses.length === 0) throw v4.status === 'rejected' ? v4.reason : noAddress(host);
  return addresses;
}

/** The same by the system, with its hosts file: for development and tests. */
export const resolveBySystem: Resolve = (host) =>
  new Promise((resolve, reject) => {
    systemLookup(host, { all: true, verbatim: true }, (error, found) =>
      error ? reject(error) : resolve(found.map(({ address }) => address)),
    );
  });

/** A resolver in the form in which sockets take one. */
export function lookupBy(resolve: Resolve): LookupFunction {
  return (host, options, callback) => {
    resolve(host).then(
      (addresses) => {
        const found = addresses
          .map((address) => ({ address, family: isIP(address) }))
          .filter(({ family }) => !options.family || options.family === family);
        const [first] = found;
        if (!first) callback(noAddress(host), []);
        else if (options.all) callback(null, found);
        else callback(null, first.address, first.family);
      },
      (error) => callback(error, []),
    );
  };
}

function noAddress(host: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${host} has no address`), { code: 'ENOTFOUND' });
}
