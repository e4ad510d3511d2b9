import type { Client } from 'pg';
import { z } from 'zod';
import { type Env, provideEnv } from '../../env';
import { keptSecretKey } from '../../secrets/secret-key';
import { openSecret } from '../../webhooks/secret';
import { bad, doubtful, type Finding, well } from './finding';

const about = 'signing secrets';

const secret = z.instanceof(Uint8Array);
const sealedSchema = z.array(z.object({ id: z.string(), secret, previous: secret.nullable() }));

/** All endpoints, or of many some thousand from before a change of the key and from after it. */
const sealedQuery = `
  WITH sealed AS (
    SELECT id, encrypted_secret AS secret, updated_at,
      CASE WHEN previous_secret_expires_at > now() THEN previous_encrypted_secret END AS previous
    FROM webhook_endpoints
  )
  (SELECT * FROM sealed ORDER BY updated_at LIMIT 5000)
  UNION
  (SELECT * FROM sealed ORDER BY updated_at DESC LIMIT 5000)`;

/** Whether the secrets of webhook endpoints open. The database must have every migration. */
export async function lookAtSecrets(
  client: Client,
  { SECRET_KEY, DATA_FOLDER }: Env,
): Promise<Finding[]> {
  const sealed = sealedSchema.parse((await client.query(sealedQuery)).rows);
  if (sealed.length === 0) return [];
  let key: string | undefined;
  try {
    key = SECRET_KEY ?? keptSecretKey(DATA_FOLDER);
  } catch {
    // Told of SECRET_KEY already. Thrown on, it would stand in place of all that was found of the database.
    return [];
  }
  if (key === undefined) {
    const says = `stored, and there is neither SECRET_KEY nor a key in ${DATA_FOLDER}`;
    return [bad(about, says, 'Give the service the key that it had.')];
  }
  provideEnv({ SECRET_KEY: key });
  const lost = sealed.filter(({ id, secret }) => !openSecret(secret, id)).length;
  if (lost > 0) {
    const says = `stored with another SECRET_KEY: those of ${lost} of ${sealed.length} endpoints sign nothing`;
    const mend =
      'Give the service the SECRET_KEY that it had. Where that is lost, rotate the secrets of these endpoints.';
    return [bad(about, says, mend)];
  }
  const isOldLost = ({ id, previous }: (typeof sealed)[number]) =>
    previous !== null && !openSecret(previous, id);
  const oldLost = sealed.filter(isOldLost).length;
  if (oldLost === 0) return [well(about, 'can be read')];
  const says = `${oldLost} that were rotated away were stored with another SECRET_KEY, and sign nothing`;
  const mend = 'See that the receivers of these endpoints have the new secret by now.';
  return [doubtful(about, says, mend)];
}
