import { randomInt } from 'node:crypto';
import { createServer, type Server } from 'node:net';

/** Has a server listen on the loopback interface, at a free port unless one is given. Resolves to the port. */
export function listen(server: Server, port = 0): Promise<number> {
  return new Promise((done, fail) => {
    server.once('error', fail);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', fail);
      done(portOf(server));
    });
  });
}

/** One that is free, below those that the system gives to connections: none of these takes it meanwhile. */
export async function freePort(): Promise<number> {
  for (;;) {
    const server = createServer();
    const port = randomInt(20_000, 32_768);
    const isFree = await listen(server, port).then(
      () => true,
      () => false,
    );
    await new Promise((done) => server.close(done));
    if (isFree) return port;
  }
}

function portOf(server: Server): number {
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('It listens at no port.');
  return address.port;
}
