import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { derivedKey } from '../secrets/derived-key';

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;
const secretBytes = 32;
const prefix = 'whsec_';

/** A new signing secret. Standard Webhooks, "Signature scheme". */
export function generateSecret(): Buffer {
  return randomBytes(secretBytes);
}

/** The secret as people see it: `whsec_` and base64. */
export function formatSecret(secret: Uint8Array): string {
  return prefix + Buffer.from(secret).toString('base64');
}

/**
 * The secret as it is stored: nonce, ciphertext, tag. Bound to its endpoint, so that no row can
 * pass for another's.
 */
export function encryptSecret(secret: Uint8Array, endpointId: string): Uint8Array<ArrayBuffer> {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, derivedKey('signing-secrets'), nonce);
  cipher.setAAD(Buffer.from(endpointId));
  return Uint8Array.from(
    Buffer.concat([nonce, cipher.update(secret), cipher.final(), cipher.getAuthTag()]),
  );
}

/** @throws Error where the stored secret was made with another SECRET_KEY or for another endpoint */
export function decryptSecret(stored: Uint8Array, endpointId: string): Buffer {
  const nonce = stored.subarray(0, nonceBytes);
  const decipher = createDecipheriv(algorithm, derivedKey('signing-secrets'), nonce);
  decipher.setAAD(Buffer.from(endpointId));
  decipher.setAuthTag(stored.subarray(-tagBytes));
  return Buffer.concat([decipher.update(stored.subarray(nonceBytes, -tagBytes)), decipher.final()]);
}
