import { randomBytes } from 'node:crypto';
import { type Seal, unseal } from '../secrets/seal';

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

/** How it is stored: sealed, and bound to its endpoint. */
export function sealOf(endpointId: string): Seal {
  return { purpose: 'signing-secrets', row: endpointId };
}

/** The secret that is stored so; undefined where that was with another SECRET_KEY. */
export function openSecret(sealed: Uint8Array, endpointId: string): Buffer | undefined {
  try {
    return unseal(sealed, sealOf(endpointId));
  } catch {
    return undefined;
  }
}
