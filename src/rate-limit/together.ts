import { setImmediate as turnOfEventLoop } from 'node:timers/promises';

/** Counts `requests` of one account at once, and resolves to where its window then stands. */
export type Consume<Window> = (accountId: string, requests: number) => Promise<Window>;

type CountOne<Window> = (accountId: string) => Promise<{ window: Window; total: number }>;

type Counted = { consumedPoints: number };

type Batch<Window> = { requests: number; counted: Promise<Window> };

/** Counts each request by itself, at once. */
export function countAlone<Window extends Counted>(consume: Consume<Window>): CountOne<Window> {
  return async (accountId) => {
    const window = await consume(accountId, 1);
    return { window, total: window.consumedPoints };
  };
}

/**
 * Counts what one account asks in one turn of the event loop by a single message, for counters that
 * another process keeps: a message for each list out of the cache makes it a third dearer. Every
 * request is told the total that it had made alone, in the order of the calls.
 */
export function countTogether<Window extends Counted>(consume: Consume<Window>): CountOne<Window> {
  const gathering = new Map<string, Batch<Window>>();
  const begin = (accountId: string): Batch<Window> => {
    const counted = turnOfEventLoop().then((): Promise<Window> => {
      gathering.delete(accountId);
      return consume(accountId, batch.requests);
    });
    const batch: Batch<Window> = { requests: 0, counted };
    gathering.set(accountId, batch);
    return batch;
  };
  return async (accountId) => {
    const batch = gathering.get(accountId) ?? begin(accountId);
    batch.requests += 1;
    const place = batch.requests;
    const window = await batch.counted;
    return { window, total: window.consumedPoints - batch.requests + place };
  };
}
