import { createServer } from 'node:net';
import { createTurns } from './turns';
import { type ServedBackend, serveConnection, type WireConnection } from './wire-connection';

export type WireServer = {
  /** Listens on a free port of the loopback interface and resolves to it. */
  listen(): Promise<number>;
  /** Runs `work` while no connection has a statement or a transaction open. */
  runAlone<T>(work: () => Promise<T>): Promise<T>;
  /** Disconnects everyone, rolling back what is open; resolves when the backend is idle. */
  close(): Promise<void>;
};

/**
 * Serves one backend to many connections. The backend is held for a connection until its
 * transaction ends, the others wait in line. They share the session: no connection may rely on SET,
 * temporary tables, named statements, LISTEN or session advisory locks.
 */
export function createWireServer(backend: ServedBackend): WireServer {
  const turns = createTurns();
  const connections = new Set<WireConnection>();
  let nextProcessId = 1;

  const server = createServer((socket) => {
    const connection = serveConnection(socket, { processId: nextProcessId++, turns, backend });
    connections.add(connection);
    void connection.left.then(() => connections.delete(connection));
  });

  return {
    listen: () =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(0, '127.0.0.1', () => {
          const address = server.address();
          if (address !== null && typeof address !== 'string') resolve(address.port);
          else reject(new Error('the wire server got no port'));
        });
      }),
    runAlone: async (work) => {
      const holder = {};
      await turns.take(holder);
      try {
        return await work();
      } finally {
        turns.release(holder);
      }
    },
    close: async () => {
      server.close();
      await Promise.all([...connections].map((connection) => connection.close()));
    },
  };
}
