import { z } from 'zod';
import type { BodyMemoryLimits } from './body-memory';
import type { ConnectionLimits } from './connections';

const miB = 1024 ** 2;

/** Descriptors for everything that is no connection: database, files, webhooks, the code itself. */
const reservedDescriptors = 200;

export const bodyMemoryLimits: BodyMemoryLimits = { totalBytes: 64 * miB, clientBytes: 16 * miB };

/**
 * For as many connections as are wanted, or fewer where the process may not open so many files: an
 * upload or a download takes two. No address gets more than a quarter of them.
 */
export function connectionLimits(wanted: number, openFiles = openFileLimit()): ConnectionLimits {
  const possible = Math.max(16, Math.floor((openFiles - reservedDescriptors) / 2));
  const connections = Math.min(wanted, possible);
  return {
    connections,
    connectionsPerAddress: Math.ceil(connections / 4),
    headersMs: 10_000,
    bodyMs: 30_000,
    restBytes: 16 * miB,
    restPaceMs: 10,
    restsAtOnce: 4,
    rests: 64,
    uploadMs: 60 * 60_000,
    idleMs: 30_000,
    // Clients are told of whole seconds, and what they send at the last moment is still on its way.
    keepAliveMs: 5_900,
    // Longer than proxies keep theirs, or one sends a request as it ends here: 60 s of nginx, 120 of
    // Caddy, and Google's 600, which nobody can change.
    proxyKeepAliveMs: 620_000,
    bytesPerSecond: 4096,
    checkMs: 2_000,
  };
}

const report = z.object({
  userLimits: z.object({ open_files: z.object({ soft: z.union([z.number(), z.string()]) }) }),
});

/** How many files the process may have open; what Node cannot tell counts as no limit. */
function openFileLimit(): number {
  const { data } = report.safeParse(process.report?.getReport());
  const soft = data?.userLimits.open_files.soft;
  return typeof soft === 'number' ? soft : Number.POSITIVE_INFINITY;
}
