import { ApiError } from '../api/errors';

/**
 * How many bytes of bodies may be in memory, of which those that are small count while they arrive, and
 * those that are large until they are answered: together, and of one client.
 */
export type BodyMemoryLimits = { totalBytes: number; clientBytes: number };

/** What one body has of the memory. */
type Share = {
  /** Counts a piece that has arrived. @throws ApiError OVERLOADED where there is no room for it */
  add(bytes: number): void;
  free(): void;
};

/** What a piece takes at least, however small: a body may come byte by byte. */
const pieceBytes = 512;

/** What is over is told to come back so much later. */
const retryAfterSeconds = 1;

/**
 * Keeps the bodies that have arrived within bounds, however many connections bring them. What has come
 * counts, and not what was announced: who announces much and sends nothing keeps nobody out.
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
    /** For one body of the client; it has nothing at first. */
    open(client: string): Share {
      let held = 0;
      return {
        add(arrived) {
          const bytes = Math.max(arrived, pieceBytes);
          if (total + bytes > totalBytes || (byClient.get(client) ?? 0) + bytes > clientBytes) {
            throw new ApiError('OVERLOADED', { retryAfterSeconds });
          }
          held += bytes;
          add(client, bytes);
        },
        free() {
          add(client, -held);
          held = 0;
        },
      };
    },
  };
}
