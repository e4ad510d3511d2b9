import { LRUCache } from 'lru-cache';
import { env } from '../env';
import { singleton } from '../singleton';

/** What an entry takes beside its body: its tag, and its place in the order of use. */
const entryBytes = 500;

/**
 * Bodies by entity tag. A tag stands for an account, its version and the request, so an entry is
 * never out of date: with the next change nobody asks for it any more. Bounded by CACHE_BYTES,
 * the least recently used going first; undefined where that is 0.
 */
export function answerCache(): LRUCache<string, Uint8Array<ArrayBuffer>> | undefined {
  return singleton('answer-cache', () => ({ cache: makeCache(env().CACHE_BYTES) })).cache;
}

function makeCache(maxSize: number): LRUCache<string, Uint8Array<ArrayBuffer>> | undefined {
  if (maxSize === 0) return undefined;
  return new LRUCache({
    maxSize,
    // One huge answer does not push everything else out.
    maxEntrySize: Math.ceil(maxSize / 8),
    sizeCalculation: (body) => body.byteLength + entryBytes,
  });
}
