/** How many bytes of bodies that are still arriving may be in memory, and when one stands still. */
export type BodyMemoryLimits = {
  totalBytes: number;
  clientBytes: number;
  /** A body that has brought less than `bytesPerSecond` for so long gives way where others need room. */
  stallMs: number;
  bytesPerSecond: number;
};

/** A body, as far as its room is concerned. */
export type Arriving = {
  /** Bytes that have come so far; undefined where it does not wait for its sender. */
  arrived(): number | undefined;
  /** Refuses the rest of it. */
  giveWay(): void;
};

type Holding = { client: string; bytes: number; since: number; body: Arriving };

/**
 * Keeps the bodies that are arriving within bounds, however many connections bring them. `take`
 * reserves for one body and returns what frees it again; undefined where there is no room.
 *
 * Room is reserved for what a body says to bring, so that none is refused half way. A sender that then
 * brings nothing would keep it from everybody: such bodies give way, those that move least first.
 */
export function createBodyMemory(
  { totalBytes, clientBytes, stallMs, bytesPerSecond }: BodyMemoryLimits,
  now: () => number = () => performance.now(),
) {
  const holdings = new Set<Holding>();
  const byClient = new Map<string, number>();
  let total = 0;

  function add(client: string, bytes: number): void {
    total += bytes;
    const held = (byClient.get(client) ?? 0) + bytes;
    if (held > 0) byClient.set(client, held);
    else byClient.delete(client);
  }

  function free(holding: Holding): void {
    if (holdings.delete(holding)) add(holding.client, -holding.bytes);
  }

  /** Those that stand still, the slowest first. */
  function stalled(): Holding[] {
    const at = now();
    const rates = [...holdings].flatMap((holding) => {
      const arrived = holding.body.arrived();
      const ms = at - holding.since;
      if (arrived === undefined || ms < stallMs) return [];
      const rate = (arrived / Math.max(1, ms)) * 1000;
      return rate < bytesPerSecond ? [{ holding, rate }] : [];
    });
    return rates.sort((a, b) => a.rate - b.rate).map(({ holding }) => holding);
  }

  /** Has others give way where that makes the room; else nobody. Returns whether there is room. */
  function makeRoom(client: string, bytes: number): boolean {
    let ofClient = (byClient.get(client) ?? 0) + bytes - clientBytes;
    let ofAll = total + bytes - totalBytes;
    if (ofClient <= 0 && ofAll <= 0) return true;
    const leaving = new Set<Holding>();
    const dismiss = (holding: Holding) => {
      leaving.add(holding);
      ofAll -= holding.bytes;
      if (holding.client === client) ofClient -= holding.bytes;
    };
    const slowest = stalled();
    for (const holding of slowest) if (ofClient > 0 && holding.client === client) dismiss(holding);
    for (const holding of slowest) if (ofAll > 0 && !leaving.has(holding)) dismiss(holding);
    if (ofClient > 0 || ofAll > 0) return false;
    for (const holding of leaving) {
      free(holding);
      holding.body.giveWay();
    }
    return true;
  }

  return {
    take(client: string, bytes: number, body: Arriving): (() => void) | undefined {
      if (!makeRoom(client, bytes)) return undefined;
      const holding = { client, bytes, since: now(), body };
      holdings.add(holding);
      add(client, bytes);
      return () => free(holding);
    },
  };
}

export type BodyMemory = ReturnType<typeof createBodyMemory>;
