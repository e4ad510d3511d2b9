/** Where to go after signing in: one of our own pages with its filters, whatever the address says. */
export function nextPath(value: unknown): string {
  const isOwnPage =
    typeof value === 'string' &&
    /^\/[a-z0-9-]+(?:\/[a-z0-9-]+)*(?:\?[\w.~=&%+:,*-]*)?$/i.test(value);
  return isOwnPage && !value.startsWith('/api/') ? value : '/api-keys';
}
