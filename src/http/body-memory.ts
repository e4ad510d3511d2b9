/** How many bytes of bodies that are still arriving may be in memory: together, and of one client. */
export type BodyMemoryLimits = { totalBytes: number; clientBytes: number };

/**
 * Keeps the bodies that are arriving within bounds, however many connections bring them. `take`
 * reserves for one body and returns what frees it again; undefined where there is no room.
 */
export function createBodyMemory({ totalBytes, clientBytes }: BodyMemoryLimits) {
  const byClient = new Map<string, number>();
  let total = 0;

  function add(client: string, bytes: number): void {
    total += bytes;
    const held = (byClient.get(client) ?? 0) + bytes;
    if (held > 0) byClient.set(client, held);
    else byClient.delete(client);
  }

  return {
    take(client: string, bytes: number): (() => void) | undefined {
      if (total + bytes > totalBytes || (byClient.get(client) ?? 0) + bytes > clientBytes) {
        return undefined;
      }
      add(client, bytes);
      let isHeld = true;
      return () => {
        if (isHeld) add(client, -bytes);
        isHeld = false;
      };
    },
  };
}

export type BodyMemory = ReturnType<typeof createBodyMemory>;
