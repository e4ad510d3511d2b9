import type { Server } from 'node:http';
import { letInMs, wholeTurn } from './stop-listening';

/** Turns in which a client that left as soon as it had asked is seen to have left. */
const turnsToLeave = 2;

type Waiting = {
  hasLeft: () => boolean;
  joinedAt: number;
  turnsBefore: number;
  settle: (isToBegin: boolean) => void;
};

/**
 * Has work that takes long wait until a turn of the event loop has brought no new connection. One is
 * let in with each, so that work begun in each has others wait at the port for seconds; and that a
 * client has left is seen a turn after what it sent.
 *
 * Resolves to true for one in a turn, in the order of their coming, and to false for whoever has left
 * by then. Where no turn is without a new connection, who has waited for `longestMs` begins anyway.
 */
export function createNewcomersFirst(server: Server, longestMs = letInMs) {
  const line: Waiting[] = [];
  let accepted = 0;
  let turns = 0;
  server.on('connection', () => {
    accepted += 1;
  });

  async function serveLine(): Promise<void> {
    while (line.length > 0) {
      const before = accepted;
      turns += 1;
      await wholeTurn();
      while (line[0]?.hasLeft()) line.shift()?.settle(false);
      const [first] = line;
      if (!first || turns - first.turnsBefore < turnsToLeave) continue;
      if (accepted !== before && performance.now() - first.joinedAt < longestMs) continue;
      line.shift();
      first.settle(true);
    }
  }

  return (hasLeft: () => boolean): Promise<boolean> =>
    new Promise((settle) => {
      line.push({ hasLeft, joinedAt: performance.now(), turnsBefore: turns, settle });
      if (line.length === 1) void serveLine();
    });
}
