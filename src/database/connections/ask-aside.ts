import { applicationName } from '../embedded/session';
import { Connection } from './connection';

/** How long the server may take to tell; it takes milliseconds. */
const askMs = 2_000;

/**
 * Asks the server over a connection of its own, which is for that alone: about sessions that wait.
 * @throws Error where it is not reached, or says nothing
 */
export async function askAside<T>(
  url: string,
  ask: (client: Connection) => Promise<T>,
): Promise<T> {
  // Reads the files that the address names, which may be gone by now.
  const client = new Connection({
    connectionString: url,
    application_name: applicationName,
    connectionTimeoutMillis: askMs,
    silenceMs: askMs,
  });
  try {
    await client.connect();
    return await ask(client);
  } finally {
    await client.end().catch(() => {});
  }
}
