import { createServer } from 'node:http';
import { listen } from '../helpers/listening';

/** Somebody who is sent webhooks, and notes what came when. */
export type Receiver = {
  /** Of the endpoint with this number. */
  url(endpoint?: number): string;
  /** By endpoint and event: when requests came, and when one was answered. */
  received: Map<string, { cameAt: number[]; answeredAt: number | undefined }>;
  /** How often one came while the same was still being answered. */
  doubled(): number;
  /** How many are being answered. */
  underWay(): number;
  /** When connections ended before their answer. */
  cutOffAt: number[];
  hasEvent(id: string): boolean;
  answerAfter(ms: number): void;
  close(): void;
};

/** Answers 204 to everything, at once unless told otherwise. */
export async function startReceiver(): Promise<Receiver> {
  const received: Receiver['received'] = new Map();
  const events = new Set<string>();
  const underWay = new Set<string>();
  const cutOffAt: number[] = [];
  let doubled = 0;
  let delayMs = 0;
  const server = createServer((request, response) => {
    const event = String(request.headers['webhook-id']);
    const name = `${request.url} ${event}`;
    request.resume().on('end', () => {
      const entry = received.get(name) ?? { cameAt: [], answeredAt: undefined };
      received.set(name, entry);
      events.add(event);
      entry.cameAt.push(performance.now());
      if (underWay.has(name)) doubled += 1;
      underWay.add(name);
      setTimeout(() => {
        if (response.destroyed) return;
        entry.answeredAt = performance.now();
        response.writeHead(204).end();
      }, delayMs);
      response.on('close', () => {
        underWay.delete(name);
        if (!response.writableFinished) cutOffAt.push(performance.now());
      });
    });
  });
  const port = await listen(server);
  return {
    url: (endpoint = 0) => `http://127.0.0.1:${port}/${endpoint}`,
    received,
    doubled: () => doubled,
    underWay: () => underWay.size,
    cutOffAt,
    hasEvent: (id) => events.has(id),
    answerAfter: (ms) => {
      delayMs = ms;
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
