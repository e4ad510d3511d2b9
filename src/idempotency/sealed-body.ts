import { ApiError } from '../api/errors';
import { type Seal, seal, unseal } from '../secrets/seal';

/** No JSON begins so: what is kept says itself whether it is sealed. */
const mark = 'sealed:';

const sealOf = (keyDigest: Buffer): Seal => ({
  purpose: 'kept-answers',
  row: keyDigest.toString('hex'),
});

/** A body that tells a secret, as it is kept. */
export function sealBody(body: string, keyDigest: Buffer): string {
  return mark + Buffer.from(seal(Buffer.from(body), sealOf(keyDigest))).toString('base64');
}

/**
 * A body as it was answered, of one that was kept sealed or as it is.
 * @throws ApiError IDEMPOTENCY_KEY_REUSED where it was sealed with another SECRET_KEY: what the request
 * did was done, so that it must not be done again, and what it was answered is lost
 */
export function openBody(kept: string, keyDigest: Buffer): string {
  if (!kept.startsWith(mark)) return kept;
  try {
    return unseal(Buffer.from(kept.slice(mark.length), 'base64'), sealOf(keyDigest)).toString();
  } catch {
    throw new ApiError('IDEMPOTENCY_KEY_REUSED', { message: unreadable });
  }
}

const unreadable =
  'The request was done, but its answer can no longer be read. Look at what there is, and use a new Idempotency-Key.';
