import { promises as dns, lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import ipaddr from 'ipaddr.js';

/** Azure's metadata and DNS service, which looks public. */
export const deniedAddress = '168.63.129.16';

/**
 * All that is given out for the public internet so far (IANA, IPv6 address space). The blocks within it
 * that are none of it, such as 6to4 and documentation, have ranges of their own in ipaddr.js.
 */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an address belongs to the public internet, by its form. IPv6 by what is public and not by
 * what is private, so that what is given out for another purpose one day is none of it.
 */
export function isPublicAddress(address: string): boolean {
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast' || address === deniedAddress) return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(globalUnicast);
}

export type Resolve = (host: string) => Promise<string[]>;

const resolver = new dns.Resolver({ timeout: 2000, tries: 2 });

/** Once a host has addresses of one kind, those of the other are waited for so long. */
const otherKindMs = 1000;

/**
 * The addresses of a host name by DNS, v4 first. Not by the system's resolver: that one works in
 * four threads, which the whole process shares, and a slow name server would hold them all. Where a name
 * server is silent about one kind, as some are about those of v6, its addresses are those of the other:
 * asked again and again, it would take the time that a delivery has.
 * @throws Error with code ENOTFOUND and the like
 */
export async function resolveByDns(host: string): Promise<string[]> {
  // RFC 6761: never asked of a name server.
  if (/(?:^|\.)localhost\.?$/i.test(host)) return ['127.0.0.1', '::1'];
  const asked = [resolver.resolve4(host), resolver.resolve6(host)];
  const over = new AbortController();
  const late = Promise.any(asked).then(() => sleep(otherKindMs, [], { signal: over.signal }));
  const [v4, v6] = await Promise.allSettled(asked.map((kind) => Promise.race([kind, late])));
  over.abort();
  const addresses = [v4, v6].flatMap((found) => (found?.status === 'fulfilled' ? found.value : []));
  if (addresses.length === 0) throw v4?.status === 'rejected' ? v4.reason : noAddress(host);
  return addresses;
}

/** The same by the system, with its hosts file: for development and tests. */
export const resolveBySystem: Resolve = (host) =>
  new Promise((resolve, reject) => {
    systemLookup(host, { all: true, verbatim: true }, (error, found) =>
      error ? reject(error) : resolve(found.map(({ address }) => address)),
    );
  });

/** The code of the error by which a guarded lookup refuses an address. */
export const addressRefused = 'ERR_ADDRESS_REFUSED';

/**
 * A resolver in the form in which sockets take one. Unless private addresses are allowed, it fails
 * where any of the host's is one.
 */
export function lookupBy(
  resolve: Resolve,
  { allowPrivate }: { allowPrivate: boolean },
): LookupFunction {
  return (host, options, callback) => {
    resolve(host).then(
      (addresses) => {
        if (!allowPrivate && !addresses.every(isPublicAddress)) {
          const message = `${host} has an address that is not public`;
          callback(Object.assign(new Error(message), { code: addressRefused }), []);
          return;
        }
        const found = addresses.map((address) => ({ address, family: isIP(address) }));
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
