import { z } from 'zod';
import { Connection } from '../database/connections/connection';
import { applicationName } from '../database/embedded/session';
import { openSecret } from './secret';

/** Those of the newest endpoints tell: of a key that was lost, none of what it has sealed opens. */
const newestQuery = `
  SELECT id, encrypted_secret AS secret FROM webhook_endpoints ORDER BY created_at DESC LIMIT 5`;

const sealedSchema = z.array(z.object({ id: z.string(), secret: z.instanceof(Uint8Array) }));

/**
 * What to warn of where the SECRET_KEY of this process is not the one that endpoints' secrets were
 * stored with: everything else starts as if nothing were missing. It asks by a connection of its own:
 * the primary process of several has no other.
 */
export async function lostSecretsWarning(databaseUrl: string): Promise<string | undefined> {
  const client = new Connection({
    connectionString: databaseUrl,
    application_name: applicationName,
    connectionTimeoutMillis: 5_000,
  });
  await client.connect();
  try {
    const newest = sealedSchema.parse((await client.query(newestQuery)).rows);
    if (newest.every(({ id, secret }) => openSecret(secret, id))) return undefined;
  } finally {
    await client.end();
  }
  return (
    'signing secrets of webhook endpoints were stored with another SECRET_KEY: nothing is delivered ' +
    'with them. Stop the service and give it the key that it had, by SECRET_KEY or as the file ' +
    'secret-key in DATA_FOLDER. Where that is lost, rotate the secrets of all endpoints; everybody ' +
    'was signed out'
  );
}
