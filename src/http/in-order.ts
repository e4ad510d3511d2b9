import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { whenClosed } from '../rest/when-closed';
import { closeConnection, isRefused } from './refuse';

/** Requests that wait on one connection for the one before; no client that is in use sends as many. */
const maxWaiting = 32;

/** How much may come, while answers are under way, behind what cannot be read; in bytes. */
const maxUnread = 64 * 1024;

type Take = (request: IncomingMessage, response: ServerResponse) => void;
type Exchange = Parameters<Take>;

/** The requests of a connection that has one under way. */
type Line = {
  current: Exchange;
  waiting: Exchange[];
  /** Of what cannot be read, which is the last that is looked at. */
  refusal?: Refusal;
};

/** The answer to it, and how much had come by then, in bytes. */
type Refusal = { answer: () => void; readBefore: number };

/**
 * Has each connection's requests taken one after the other (RFC 9112, section 9.3.2). What comes in one
 * piece is read at once, thousands of them, and taken together they would keep everybody else waiting,
 * also after their sender has left. Those of a connection that has ended are not taken, and one that
 * sends too many ahead is cut off.
 */
export function oneAfterTheOther(take: Take): {
  take: Take;
  /**
   * Has `answer` answer what came over the connection and cannot be read, and end it: behind the answers
   * to what came before, of which it would else be taken for one, or for a part. Where it is the rest of
   * a body whose request is answered, ends it without another answer, which would be the next one's.
   */
  refuseInTurn(socket: Duplex, answer: () => void): void;
} {
  const lines = new WeakMap<Duplex, Line>();
  /** The last request of a connection, where it was answered before it was all here. */
  const answeredEarly = new WeakMap<Duplex, IncomingMessage>();

  function begin(exchange: Exchange): void {
    const [request, response] = exchange;
    whenClosed(response, () => goOn(request.socket));
    take(request, response);
  }

  function goOn(socket: Duplex): void {
    const line = lines.get(socket);
    const next = line?.waiting.shift();
    // One that is about to end takes no more answers.
    if (line && next && socket.writable) {
      line.current = next;
      begin(next);
    } else {
      const last = line?.current[0];
      if (last && !last.complete) answeredEarly.set(socket, last);
      lines.delete(socket);
      line?.refusal?.answer();
    }
  }

  return {
    take: (request, response) => {
      const { socket } = request;
      const line = lines.get(socket);
      // After a refusal nothing counts, also where only the time was over and the rest still came.
      if (line?.refusal || isRefused(socket)) return;
      const exchange: Exchange = [request, response];
      if (!line) {
        lines.set(socket, { current: exchange, waiting: [] });
        begin(exchange);
      } else if (line.waiting.length < maxWaiting) line.waiting.push(exchange);
      else socket.destroy();
    },

    refuseInTurn: (socket, answer) => {
      const line = lines.get(socket);
      if (!line) {
        const isRestOfAnswered = answeredEarly.get(socket)?.complete === false;
        return isRestOfAnswered ? closeConnection(socket) : answer();
      }
      if (line.refusal) return boundUnread(line.current[0].socket, line.refusal);
      const { current, waiting } = line;
      const [last, answerToLast] = waiting.at(-1) ?? current;
      const isRestOfLast = !last.complete;
      const isRestOfAnswered = isRestOfLast && answerToLast.headersSent;
      if (isRestOfLast && waiting.length === 0 && !isRestOfAnswered) return answer();
      if (isRestOfLast) waiting.pop();
      line.refusal = {
        answer: isRestOfAnswered ? () => closeConnection(socket) : answer,
        readBefore: current[0].socket.bytesRead,
      };
      if (socket.readableEnded) socket.end();
    },
  };
}

/** Ends a connection where too much comes behind what is refused, or where its client has ended it. */
function boundUnread(socket: Socket, { readBefore }: Refusal): void {
  if (socket.bytesRead - readBefore > maxUnread) socket.destroy();
  // As of any who closes its side, nobody waits for the answer.
  else if (socket.readableEnded) socket.end();
}
