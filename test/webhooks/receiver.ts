import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { listen } from '../helpers/listening';

export type Received = { headers: Record<string, string>; body: string; path: string; at: number };

/** What a receiver does once it has read a request; by default it answers 204. */
export type Answer = (response: ServerResponse, received: Received) => void;

/** A server on the loopback interface that keeps what it gets. */
export type Receiver = {
  url: string;
  port: number;
  received: Received[];
  answer: Answer;
  close(): Promise<void>;
};

const running: Receiver[] = [];

export async function openReceiver(answer: Answer = (response) => answerWith(response, 204)) {
  const server = createServer((request, response) => void handle(request, response));
  const port = await listen(server);
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/in`,
    port,
    received: [],
    answer,
    close: () => closeServer(server),
  };
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const received = {
      headers: Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
      ),
      body: await text(request),
      path: request.url ?? '',
      at: performance.now(),
    };
    receiver.received.push(received);
    receiver.answer(response, received);
  };
  running.push(receiver);
  return receiver;
}

export function answerWith(
  response: ServerResponse,
  status: number,
  headers: Record<string, string> = {},
  body = '',
): void {
  response.writeHead(status, headers).end(body);
}

/** Closes every receiver that the test has opened. */
export async function closeReceivers(): Promise<void> {
  await Promise.all(running.splice(0).map((receiver) => receiver.close()));
}

/**
 * The event of a delivery, once the library that receivers use has found its signature right.
 * `at` is the time by which it was sent.
 */
export function verified(received: Received, secret: string, at = new Date()) {
  const clock = jest.spyOn(Date, 'now').mockReturnValue(at.getTime());
  try {
    return new Webhook(secret).verify(received.body, received.headers) as {
      id: string;
      type: string;
      timestamp: string;
      sequence: number;
      data: Record<string, unknown>;
      is_test?: true;
    };
  } finally {
    clock.mockRestore();
  }
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((done) => server.close(() => done()));
}
