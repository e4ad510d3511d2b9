import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setImmediate as restOfTurn } from 'node:timers/promises';

/** Those that listen at the same port and stop with this process. */
export type Listeners = {
  /** A turn in which a connection that waits at the port is let in, here or by one of them. */
  turn: () => Promise<void>;
  /** Resolves once none of them listens: only then may a client be sent away. */
  haveStopped: () => Promise<void>;
};

export const noOtherListener: Listeners = { turn: wholeTurn, haveStopped: async () => {} };

/** How long new connections are let in while there is no turn without one. */
export const letInMs = 400;

/**
 * In a process that is busy that is a turn or two: it has so many, each of which lets one in, but no
 * longer than `busyLetInMs`, after which the others that stop would wait for it in vain.
 */
const leastTurns = 40;
const busyLetInMs = 4_000;

/**
 * Stops listening. Not before a turn that brought nobody: one connection is let in with each, and the
 * system resets those that still wait. Who comes between that turn and the end of listening is reset
 * too. `gone` resolves with the last connection. Not by the HTTP server's own `close`, which ends idle
 * connections at once, also those on which a request is on its way.
 */
export async function stopListening(
  server: Server,
  others: Listeners,
): Promise<{ gone: Promise<void> }> {
  let hasAccepted = true;
  const note = () => {
    hasAccepted = true;
  };
  server.on('connection', note);
  const beganAt = performance.now();
  const mayGoOn = (turns: number) =>
    performance.now() - beganAt < (turns < leastTurns ? busyLetInMs : letInMs);
  for (let turns = 0; hasAccepted && mayGoOn(turns); turns += 1) {
    hasAccepted = false;
    await others.turn();
  }
  server.off('connection', note);
  const gone = new Promise<void>((done) => {
    NetServer.prototype.close.call(server, () => done());
  });
  await others.haveStopped();
  return { gone };
}

/**
 * Resolves when the event loop has looked once at everything that may bring something. Its turn may
 * have had that look behind it when this is called, so that the rest of it alone is not enough.
 */
export async function wholeTurn(): Promise<void> {
  await restOfTurn();
  await restOfTurn();
}
