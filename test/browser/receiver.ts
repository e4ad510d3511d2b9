import { createServer } from 'node:http';
import { listen } from '../helpers/listening';

/** A URL at which nobody listens. */
export const nowhere = 'http://127.0.0.1:18999/';

type Received = { headers: Record<string, string>; body: string };

export type Receiver = {
  url: string;
  received: Received[];
  /** What it answers from now on. */
  answer: { status: number; headers?: Record<string, string>; body?: string };
  close(): Promise<void>;
};

/** Somebody's server that webhooks are sent to. */
export async function startReceiver(): Promise<Receiver> {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => {
      const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)]);
      receiver.received.push({ headers: Object.fromEntries(headers), body });
      response.writeHead(receiver.answer.status, receiver.answer.headers);
      response.end(receiver.answer.body);
    });
  });
  const port = await listen(server);
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/testimonials`,
    received: [],
    answer: { status: 204 },
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
  return receiver;
}
