import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { whenClosed } from './when-closed';

/** Requests that wait on one connection for the one before; no client that is in use sends as many. */
const maxWaiting = 32;

type Take = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Has each connection's requests taken one after the other (RFC 9112, section 9.3.2). What comes in one
 * piece is read at once, thousands of them, and taken together they would keep everybody else waiting,
 * also after their sender has left. Those of a connection that has ended are not taken, and one that
 * sends too many ahead is cut off.
 */
export function oneAfterTheOther(take: Take): Take {
  /** Of connections that have one under way: those that wait. */
  const lines = new WeakMap<Socket, Parameters<Take>[]>();

  function begin(request: IncomingMessage, response: ServerResponse): void {
    whenClosed(response, () => goOn(request.socket));
    take(request, response);
  }

  function goOn(socket: Socket): void {
    const next = lines.get(socket)?.shift();
    // One that is about to end takes no more answers.
    if (next && socket.writable) begin(...next);
    else lines.delete(socket);
  }

  return (request, response) => {
    const { socket } = request;
    const line = lines.get(socket);
    if (!line) {
      lines.set(socket, []);
      begin(request, response);
    } else if (line.length < maxWaiting) line.push([request, response]);
    else socket.destroy();
  };
}
