import { addressSite, isTrustedProxy, parseAddress } from '../api/forwarded';

/**
 * Counts what connections take, by the address that they come from (of IPv6, by the /48). `take` returns
 * what gives the place back, to be called once, and undefined where the address has `most` already and
 * is no proxy of ours.
 */
export function placesByAddress(most: number): { take(peer: string): (() => void) | undefined } {
  const taken = new Map<string, number>();
  return {
    take(peer) {
      const address = addressSite(parseAddress(peer));
      const count = (taken.get(address) ?? 0) + 1;
      if (count > most && !isTrustedProxy(peer)) return undefined;
      taken.set(address, count);
      return () => {
        const left = (taken.get(address) ?? 1) - 1;
        if (left > 0) taken.set(address, left);
        else taken.delete(address);
      };
    },
  };
}
