import type { Client } from 'pg';
import { z } from 'zod';
import { type Env, provideEnv } from '../../env';
import { unseal } from '../../secrets/seal';
import { keptSecretKey } from '../../secrets/secret-key';
import { sealOf } from '../../webhooks/secret';
import { bad, type Finding, well } from './finding';

const about = 'signing secrets';

const sealedSchema = z.array(z.object({ id: z.string(), secret: z.instanceof(Uint8Array) }));

/** One of before a change of the key, and one of after it. */
const sealedQuery = `
  (SELECT id, encrypted_secret AS secret FROM webhook_endpoints ORDER BY created_at LIMIT 1)
  UNION ALL
  (SELECT id, encrypted_secret FROM webhook_endpoints ORDER BY created_at DESC LIMIT 1)`;

/** Whether the secrets of webhook endpoints open. The database must have every migration. */
export async function lookAtSecrets(
  client: Client,
  { SECRET_KEY, DATA_FOLDER }: Env,
): Promise<Finding[]> {
  const sealed = sealedSchema.parse((await client.query(sealedQuery)).rows);
  if (sealed.length === 0) return [];
  const key = SECRET_KEY ?? keptSecretKey(DATA_FOLDER);
  if (key === undefined) {
    const says = `stored, and there is neither SECRET_KEY nor a key in ${DATA_FOLDER}`;
    return [bad(about, says, 'Give the service the key that it had.')];
  }
  provideEnv({ SECRET_KEY: key });
  if (sealed.every(({ id, secret }) => canOpen(secret, id))) return [well(about, 'can be read')];
  const mend =
    'Give the service the SECRET_KEY that it had. Where that is lost, rotate the secrets of all endpoints.';
  return [bad(about, 'stored with another SECRET_KEY: nothing can be delivered with them', mend)];
}

function canOpen(secret: Uint8Array, endpointId: string): boolean {
  try {
    unseal(secret, sealOf(endpointId));
    return true;
  } catch {
    return false;
  }
}
