/**
 * The path and query of a request's target. A client that believes it talks to a proxy sends a whole
 * address, which counts as its path (RFC 9112, section 3.2.2). Undefined for a target without a
 * path: `*`, or an address of no use here.
 */
export function originForm(target: string): string | undefined {
  if (target.startsWith('/')) return target;
  const [, rest] = /^https?:\/\/[^/?#]+(.*)$/is.exec(target) ?? [];
  if (rest === undefined) return undefined;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** Whether the path of a target can be decoded. Next answers 500 where it cannot. */
export function isDecodable(target: string): boolean {
  const [path = ''] = target.split('?', 1);
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
