import type { ApiKey } from '../api-keys/schema';
import { printable } from './printable';

const headings = ['ID', 'NAME', 'HINT', 'SCOPES', 'STATUS', 'LAST USED'];

/** The keys as a table for a terminal, a line each, under a line of headings. */
export function describeApiKeys(keys: ApiKey[], now: Date): string {
  const rows = [
    headings,
    ...keys.map((key) => [
      key.id,
      printable(key.name),
      key.hint,
      key.scopes.join(','),
      describeStatus(key, now),
      key.last_used_at ? minute(key.last_used_at) : 'never',
    ]),
  ];
  const widths = headings.map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function describeStatus({ enabled, expires_at }: ApiKey, now: Date): string {
  if (!enabled) return 'disabled';
  if (!expires_at) return 'active';
  return expires_at <= now ? 'expired' : `active until ${minute(expires_at)}`;
}

function minute(instant: Date): string {
  return `${instant.toISOString().slice(0, 16).replace('T', ' ')}Z`;
}
