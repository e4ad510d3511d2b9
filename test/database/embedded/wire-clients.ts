import { once } from 'node:events';
import { connect, Socket } from 'node:net';
import { Client } from 'pg';

let url: string;
const clients = new Set<Client>();
const sockets = new WeakMap<Client, Socket>();

/** The address of the served database that a file's tests are about. */
export function servedUrl(): string {
  return url;
}

/** Has the tests of a `describe` connect to the database whose address `getUrl` gives. */
export function withServed(getUrl: () => string): void {
  beforeAll(() => {
    url = getUrl();
  });

  afterEach(async () => {
    await Promise.all([...clients].map((client) => client.end()));
    clients.clear();
  });
}

export async function connectClient(): Promise<Client> {
  const socket = new Socket();
  const client = new Client({ connectionString: url, stream: () => socket });
  client.on('error', () => undefined);
  await client.connect();
  clients.add(client);
  sockets.set(client, socket);
  return client;
}

/** Leaves the end of one to the test, or to the server that has ended it. */
export function forget(client: Client): void {
  clients.delete(client);
}

/** Drops the connection as the death of its process would. */
export async function drop(client: Client): Promise<void> {
  forget(client);
  const socket = sockets.get(client);
  if (socket) {
    socket.destroy();
    await once(socket, 'close');
  }
}

/** Sends the bytes on a connection of their own; resolves to all that comes back until it ends. */
export async function talk(...messages: Buffer[]): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write(Buffer.concat(messages));
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk);
  return Buffer.concat(chunks).toString('latin1');
}
