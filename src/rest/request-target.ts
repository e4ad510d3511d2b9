import { isWellEscaped } from '../urls/percent-encoding';

/**
 * The path and query of a request's target. A client that believes it talks to a proxy sends a whole
 * address, which counts as its path (RFC 9112, section 3.2.2). Undefined for a target without a
 * path: `*`, or an address of no use here.
 */
export function originForm(target: string): string | undefined {
  if (target.startsWith('/')) return withoutEmptySegments(target);
  const [, rest] = /^https?:\/\/[^/?#]+(.*)$/is.exec(target) ?? [];
  if (rest === undefined) return undefined;
  return withoutEmptySegments(rest.startsWith('/') ? rest : `/${rest}`);
}

/**
 * A base address that ends in a slash makes `//api/v1/…`. Next would redirect it, which loses the
 * Authorization header, so what leads to the API is mended here.
 */
function withoutEmptySegments(target: string): string {
  return target.replace(/^[/\\]+api[/\\]+v1(?=[/\\?]|$)/, '/api/v1');
}

/**
 * A path with the escapes undone that need none, such as `%2D` for a hyphen: both mean the same
 * (RFC 3986, section 6.2.2.2). All others stay as they are.
 */
export function withoutNeedlessEscapes(path: string): string {
  if (!path.includes('%')) return path;
  return path.replace(/%[\da-f]{2}/gi, (encoded) => {
    const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : encoded;
  });
}

/** Whether the path of a target can be decoded. Next answers 500 where it cannot. */
export function isDecodable(target: string): boolean {
  const [path = ''] = target.split('?', 1);
  return isWellEscaped(path);
}

/** The most that a page has is a dozen. */
const maxParameters = 100;

/**
 * Whether a target's query has more parameters than any page knows. Next goes over all of them for each,
 * several times: 14 kB of them took it four seconds.
 */
export function hasTooManyParameters(target: string): boolean {
  const queryAt = target.indexOf('?');
  return queryAt >= 0 && target.slice(queryAt).split('&', maxParameters + 1).length > maxParameters;
}
