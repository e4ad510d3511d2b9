import { createServer } from 'node:net';
import type { Env } from '../env';
import { listenError } from './listen-error';

/**
 * Resolves where the service may listen at its address: before anything is migrated, which the
 * version that still runs there would not survive.
 * @throws Error that says what to do, where it may not
 */
export async function requireFreePort({ HOST, PORT }: Pick<Env, 'HOST' | 'PORT'>): Promise<void> {
  const server = createServer();
  await new Promise<void>((done, fail) => {
    server.once('error', (error) => fail(listenError(error, { HOST, PORT })));
    server.listen(PORT, HOST, () => server.close(() => done()));
  });
}
