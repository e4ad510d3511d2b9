import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { codeOf } from '../error-parts';

/** The code of a connection that was closed in due form, before it was ready. */
export const closedEarly = 'ECONNABORTED';

/** What a connection fails by that the other end has closed. */
const closedCodes = new Set<string | undefined>(['EPIPE', 'ECONNRESET', closedEarly]);

/** How long Redis may take to say why it closes a connection; it does so at once. */
const refusalMs = 1_000;

const maxRefusalCharacters = 500;

const discarded = z.object({ previousErrors: z.tuple([z.instanceof(Error)], z.unknown()) });

/** What Redis refused a command by: of a transaction that it threw away for that, its own error has no reason. */
export function refusalIn(error: unknown): unknown {
  return discarded.safeParse(error).data?.previousErrors[0] ?? error;
}

/**
 * Why Redis closes each connection of `redis`, which has failed by this error; undefined where it does not
 * say. It does so unasked, as in its protected mode or with as many clients as it takes, and the driver,
 * whose commands are under way by then, fails by the closed connection and does not read it.
 */
export async function refusalAfter(error: unknown, redis: Redis): Promise<string | undefined> {
  if (!closedCodes.has(codeOf(error))) return undefined;
  const said = await saidUnasked(redis);
  // Its first sentence; what follows is what one may do about it.
  return /^-([^\r\n]*?)(?:[.] |\r|$)/.exec(said)?.[1];
}

/** What it says to a connection by which nothing is sent. */
function saidUnasked({ options: { host, port = 0, tls } }: Redis): Promise<string> {
  return new Promise((resolve) => {
    const socket = tls ? connectTls({ host, port }) : connect({ host, port });
    let said = '';
    const timer = setTimeout(() => socket.destroy(), refusalMs);
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => {
      said += text;
      if (said.length > maxRefusalCharacters) socket.destroy();
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(said);
    });
  });
}
