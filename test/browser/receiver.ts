import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

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
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
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
