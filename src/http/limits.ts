import { z } from 'zod';
import type { BodyMemoryLimits } from './body-memory';
import type { ConnectionLimits } from './connections';

const miB = 1024 ** 2;

/** Descriptors for everything that is no connection: database, files, webhooks, the code itself. */
const reservedDescriptors = 200;

/**
 * What the first sign-in takes besides, for a moment: the files of its code are read all at once. Where
 * one cannot be opened, Node never tries again, and nobody can sign in until the next start. With 206
 * free it failed, with 318 it did not.
 */
const firstUseDescriptors = 320;

const fewestConnections = 16;

const neededDescriptors = reservedDescriptors + firstUseDescriptors + fewestConnections;

export const bodyMemoryLimits: BodyMemoryLimits = { totalBytes: 64 * miB, clientBytes: 16 * miB };

/**
 * For as many connections as are wanted, or fewer where the process may not open so many files: an
 * upload or a download takes two, by whoever has signed in. No address gets more than a quarter of them.
 */
export function connectionLimits(wanted: number, openFiles = openFileLimit()): ConnectionLimits {
  const left = openFiles - reservedDescriptors;
  const possible = Math.min(Math.floor(left / 2), left - firstUseDescriptors);
  const connections = Math.min(wanted, Math.max(fewestConnections, possible));
  return {
    connections,
    connectionsPerAddress: Math.ceil(connections / 4),
    headersMs: 10_000,
    bodyMs: 30_000,
    leftoverBytes: 16 * miB,
    // All that an upload may have, and somewhat more for one that is refused because it is larger. At
    // the pace below that takes up to two minutes.
    proxyLeftoverBytes: 576 * miB,
    proxyLeftoverMs: 180_000,
    leftoverPaceMs: 10,
    leftoversAtOnce: 4,
    leftovers: 64,
    uploadMs: 60 * 60_000,
    idleMs: 30_000,
    // Clients are told of whole seconds, and what they send at the last moment is still on its way.
    keepAliveMs: 5_900,
    // Many clients do not look at what they are told, and keep theirs for 90 s (Go), 60 (.NET), 30 (Java):
    // where there is room, these are the ones to end it too.
    roomyKeepAliveMs: 100_000,
    roomyConnections: Math.ceil(connections / 8),
    // Longer than proxies keep theirs, or one sends a request as it ends here: 60 s of nginx, 120 of
    // Caddy, and Google's 600, which nobody can change.
    proxyKeepAliveMs: 620_000,
    bytesPerSecond: 4096,
    checkMs: 2_000,
  };
}

/** For the log at start, where the process may not open as many files as it needs. */
export function fewFilesWarning(openFiles = openFileLimit()): string | undefined {
  if (openFiles >= neededDescriptors) return undefined;
  return (
    `This process may open ${openFiles} files, and needs ${neededDescriptors}: signing in may fail ` +
    'until the next start. Raise the limit: "ulimit -n 65536" before the start, or LimitNOFILE in a ' +
    'unit of systemd.'
  );
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
