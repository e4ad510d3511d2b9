import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { derivedKey, type Purpose } from './derived-key';

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** What is sealed opens for the same purpose and the same row alone, so that none passes for another's. */
export type Seal = { purpose: Purpose; row: string };

/** Encrypts what may not lie in the database as it is: nonce, ciphertext, tag. */
export function seal(plain: Uint8Array, { purpose, row }: Seal): Uint8Array<ArrayBuffer> {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, derivedKey(purpose), nonce);
  cipher.setAAD(Buffer.from(row));
  return Uint8Array.from(
    Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]),
  );
}

/** @throws Error where it was sealed with another SECRET_KEY, for another purpose or for another row */
export function unseal(sealed: Uint8Array, { purpose, row }: Seal): Buffer {
  const nonce = sealed.subarray(0, nonceBytes);
  const decipher = createDecipheriv(algorithm, derivedKey(purpose), nonce);
  decipher.setAAD(Buffer.from(row));
  decipher.setAuthTag(sealed.subarray(-tagBytes));
  return Buffer.concat([decipher.update(sealed.subarray(nonceBytes, -tagBytes)), decipher.final()]);
}
