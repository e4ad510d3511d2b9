export type Named = { description: string | null; url: string };

export const kind = 'Webhook endpoint';

/**
 * Several may be open in tabs, and are in what a browser remembers. Of an address the host alone: what
 * stands behind it may be a secret of the receiver's.
 */
export function titleOf(endpoint: Named | undefined): string {
  if (!endpoint) return kind;
  return `${endpoint.description || new URL(endpoint.url).host} · ${kind}`;
}
