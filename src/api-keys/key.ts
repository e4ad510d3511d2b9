import { createHash } from 'node:crypto';
import type { Mode } from '../mode';

const prefixes = { live: 'sk_live_', test: 'sk_test_' } as const satisfies Record<Mode, string>;
const shape = /^sk_(?:live|test)_[0-9a-f]{64}$/;

/** A key as people see it: the prefix of its mode and its 32 random bytes in hex. Contract, section 5. */
export function formatKey(mode: Mode, random: Buffer): string {
  return prefixes[mode] + random.toString('hex');
}

/** Whether a key has the form of one; says nothing about whether it exists. */
export function isKeyShaped(key: string): boolean {
  return shape.test(key);
}

/**
 * What is stored of a key. A plain digest will do: a key has 256 random bits, so nobody can guess
 * at it offline as at a password.
 */
export function digestKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** What a person may see of a key afterwards, to tell it from others. */
export function hintOf(key: string): string {
  return `${key.slice(0, prefixes.live.length)}…${key.slice(-4)}`;
}
