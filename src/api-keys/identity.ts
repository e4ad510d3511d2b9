import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto';
import { derivedKey } from '../secrets/derived-key';

/** What makes a new key this one: the id of its row, and the bytes that it is made of. */
type Identity = { id: string; random: Buffer };

/**
 * Without an Idempotency-Key, a new key is random. With one, it follows from that, the account and the
 * `wishes` (what was asked for): asked for once more, as where its answer was lost, it is the same key,
 * of which nothing but a digest is stored. With other wishes under the same Idempotency-Key, or with
 * another SECRET_KEY, the id is the same and the key another.
 */
export function newIdentity(
  accountId: string,
  idempotencyKey: string | undefined,
  wishes: unknown,
): Identity {
  if (idempotencyKey === undefined) return { id: randomUUID(), random: randomBytes(32) };
  const asked = JSON.stringify([accountId, idempotencyKey]);
  return {
    id: uuidOf(createHash('sha256').update(asked).digest()),
    random: createHmac('sha256', derivedKey('api-keys'))
      .update(JSON.stringify([asked, wishes]))
      .digest(),
  };
}

/** Of version 8, whose bits mean what its maker likes. RFC 9562, section 5.8. */
function uuidOf(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
