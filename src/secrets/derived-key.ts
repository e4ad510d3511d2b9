import { hkdfSync } from 'node:crypto';
import { env } from '../env';

/** What a key is for. */
export type Purpose = 'sessions' | 'signing-secrets' | 'kept-answers' | 'mailed-links' | 'api-keys';

/**
 * A key of 32 bytes for one purpose, derived from SECRET_KEY so that no two purposes share one.
 * RFC 5869. @throws Error when SECRET_KEY is not set
 */
export function derivedKey(purpose: Purpose): Buffer {
  const secret = env().SECRET_KEY;
  if (!secret) {
    throw new Error('SECRET_KEY is not set. Set it to at least 32 random characters.');
  }
  return Buffer.from(hkdfSync('sha256', secret, '', `testimonials/${purpose}`, 32));
}
