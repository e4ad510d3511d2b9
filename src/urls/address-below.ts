/**
 * The address of a path below another address. It goes before the query of that, in which some services
 * take a key or the version that is spoken. `path` begins with a slash.
 */
export function addressBelow(base: string, path: string): string {
  const url = new URL(base);
  url.pathname = url.pathname.replace(/\/+$/, '') + path;
  return url.href;
}
