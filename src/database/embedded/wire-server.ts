import { once } from 'node:events';
import { createServer } from 'node:net';
import { codeOf } from '../../error-parts';
import type { ServedBackend } from './served-backend';
import { createTurns } from './turns';
import { serveConnection, type WireConnection } from './wire-connection';

export type WireServer = {
  /** Listens on a free port of the first of these addresses that the machine has, and resolves to both. */
  listen(addresses?: readonly string[]): Promise<ListeningAt>;
  /** Runs `work` while no connection has a statement or a transaction open. */
  runAlone<T>(work: () => Promise<T>): Promise<T>;
  /** Disconnects everyone, rolling back what is open; resolves when the backend is idle. */
  close(): Promise<void>;
};

export type ListeningAt = { host: string; port: number };

/** Of the loopback interface. A machine may have either alone. */
const loopback = ['127.0.0.1', '::1'] as const;

/** What the system says of an address that the machine has not. */
const notThere = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT']);

/**
 * Serves one backend to many connections. The backend is held for a connection until its
 * transaction ends, the others wait in line. They share the session: no connection may rely on SET,
 * temporary tables, named statements, LISTEN or session advisory locks.
 */
export function createWireServer(backend: ServedBackend): WireServer {
  const turns = createTurns(() => performance.now());
  const connections = new Set<WireConnection>();
  let nextProcessId = 1;

  const server = createServer((socket) => {
    const connection = serveConnection(socket, { processId: nextProcessId++, turns, backend });
    connections.add(connection);
    void connection.left.then(() => connections.delete(connection));
  });

  return {
    listen: async (addresses = loopback) => {
      let reason: unknown;
      for (const host of addresses) {
        try {
          await once(server.listen(0, host), 'listening');
        } catch (error) {
          if (!notThere.has(codeOf(error) ?? '')) throw error;
          reason ??= error;
          continue;
        }
        const address = server.address();
        if (address !== null && typeof address !== 'string') return { host, port: address.port };
      }
      throw reason;
    },
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
