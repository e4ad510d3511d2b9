import { createServer, type Server } from 'node:net';

/** Has a server listen on the loopback interface, at a free port unless one is given. Resolves to the port. */
export function listen(server: Server, port = 0): Promise<number> {
  return new Promise((done) => {
    server.listen(port, '127.0.0.1', () => done(portOf(server)));
  });
}

/** One that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  await new Promise((done) => server.close(done));
  return port;
}

function portOf(server: Server): number {
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('It listens at no port.');
  return address.port;
}
