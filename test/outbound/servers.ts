import type { ServerResponse } from 'node:http';
import { createServer, type Server, type Socket } from 'node:net';
import { listen } from '../helpers/listening';

type Running = { server: Server; sockets: Set<Socket> };

const running: Running[] = [];

/** Has the server listen on the loopback interface until the test ends. Returns its port. */
export async function serve(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    socket.on('error', () => {});
    sockets.add(socket);
  });
  // What a client keeps open is not closed meanwhile, however long the machine takes between two requests.
  if ('keepAliveTimeout' in server) server.keepAliveTimeout = 0;
  running.push({ server, sockets });
  return listen(server);
}

/** A server that counts who connects, and hangs up. */
export async function openTrap() {
  const trap = { connections: 0, port: 0 };
  trap.port = await serve(
    createServer((socket) => {
      trap.connections += 1;
      socket.destroy();
    }),
  );
  return trap;
}

/** Sends for as long as there is somebody. */
export function sendWithoutEnd(response: ServerResponse): void {
  const piece = Buffer.alloc(64 * 1024, 'x');
  const next = () => {
    if (!response.destroyed) response.write(piece, () => setImmediate(next));
  };
  next();
}

/** Closes every server of the test. */
export async function closeServers(): Promise<void> {
  await Promise.all(
    running.splice(0).map(({ server, sockets }) => {
      for (const socket of sockets) socket.destroy();
      return new Promise((done) => server.close(done));
    }),
  );
}
