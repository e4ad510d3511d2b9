import type { ServerResponse } from 'node:http';

const waiting = new WeakMap<ServerResponse, (() => void)[]>();

/**
 * Calls `run` once the answer is out or its client has left, and at once where that has been. All share
 * one listener: Node warns of a leak from 11 on, of which Next takes up to 8.
 */
export function whenClosed(response: ServerResponse, run: () => void): void {
  if (response.closed) {
    run();
    return;
  }
  const others = waiting.get(response);
  if (others) {
    others.push(run);
    return;
  }
  const runs = [run];
  waiting.set(response, runs);
  response.once('close', () => {
    for (const each of runs) each();
  });
}
